"""A real browser: Chromium from the system, driven by Playwright. Skipped, and said so, where one is missing."""

import shutil
from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the service needs texlift[serve]")
sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from texlift.server.process import Service, running  # noqa: E402  (after the skips)

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with running("--workers", "1") as started:
        yield started


@pytest.fixture(scope="session")
def browser() -> Iterator["sync_api.Browser"]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("Chromium is not installed")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=[*ARGUMENTS, "--disable-sync"])
        yield started
        started.close()


@pytest.fixture
def page(browser: "sync_api.Browser", service: Service) -> Iterator["sync_api.Page"]:
    """The page with its first example translated; anything the browser complains about fails the test."""
    context = browser.new_context(viewport={"width": 1100, "height": 900}, permissions=["clipboard-write"])
    opened = context.new_page()
    opened.set_default_timeout(20_000)
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console", lambda message: complaints.append(message.text) if "Content Security" in message.text else None
    )
    opened.on("request", lambda request: complaints.append(request.url) if not _own(request.url, service) else None)
    opened.goto(service.url)
    opened.wait_for_selector("body[data-shown]")
    yield opened
    context.close()
    assert not complaints


def _own(url: str, service: Service) -> bool:
    return url.startswith((service.url, "blob:", "data:"))
