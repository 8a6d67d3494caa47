"""What a person does on the page. With TEXLIFT_SCREENSHOTS=FOLDER the main states are photographed."""

import os
import re
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parent.parent / "documents" / "samples"


def photograph(page: Any, name: str) -> None:
    if folder := os.environ.get("TEXLIFT_SCREENSHOTS"):
        page.evaluate("document.activeElement.blur()")
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def type_formula(page: Any, latex: str, context: str = "") -> None:
    shown = int(page.evaluate("document.body.dataset.shown"))
    page.fill("#context", context)
    page.fill("#latex", latex)
    page.wait_for_function(
        "([shown, latex]) => Number(document.body.dataset.shown) > shown"
        " && document.getElementById('source').textContent === latex",
        arg=[shown, latex],
    )


def test_a_formula_is_translated_while_it_is_typed(page: Any) -> None:
    type_formula(page, r"J_\nu(z)", "Bessel functions")
    assert page.text_content("#semantic") == r"\BesselJ{\nu}@{z}"
    assert page.locator("#rendered math").count() == 1
    assert page.text_content("#confidence-text").endswith("%")
    assert "Bessel function" in page.text_content("#decisions")
    assert page.locator("#decisions a").first.get_attribute("href").startswith("https://dlmf.nist.gov/")


TYPED = """async (latex) => {
    const shown = document.body.dataset.shown, field = document.getElementById("latex");
    field.value = latex;
    const started = performance.now();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (document.body.dataset.shown === shown) await new Promise((go) => setTimeout(go, 1));
    return (performance.now() - started) / 1000;
}"""


def test_time_to_first_translation(page: Any) -> None:
    """From the last key to the answer on the page, as the browser measures it."""
    page.fill("#latex", "")
    formulae = (r"\Gamma(a)", r"\zeta(s)+1", r"J_0(x)", r"P_n(x)", r"\sin(x)", r"Y_1(x)", r"\Gamma(a+b)")
    seconds = [page.evaluate(TYPED, latex) for latex in formulae]
    # The target of 150 ms is measured by `texlift bench people`; here only that it is not out of reach.
    assert sorted(seconds)[len(seconds) // 2] < 1.0


def test_hover_explains_and_click_chooses_another_reading(page: Any) -> None:
    type_formula(page, r"J_\nu(z)+\Gamma(z)", "Bessel functions")
    page.hover("#semantic .decision >> nth=0")
    page.wait_for_selector("#card:not([hidden])")
    assert "Bessel function of the first kind" in page.text_content("#card")
    page.click("#semantic .decision >> nth=0")
    photograph(page, "readings")
    page.click("#card button:has-text('unchanged')")
    page.wait_for_function("() => !document.getElementById('semantic').textContent.includes('BesselJ')")
    assert r"\EulerGamma@{z}" in page.text_content("#semantic")
    page.click("#reset")
    page.wait_for_function("() => document.getElementById('semantic').textContent.includes('BesselJ')")


def test_a_reading_is_chosen_with_the_keyboard(page: Any) -> None:
    type_formula(page, r"J_\nu(z)")
    page.focus("#decisions select")
    page.select_option("#decisions select", "")
    page.wait_for_function("() => !document.getElementById('semantic').textContent.includes('BesselJ')")


def test_errors_show_the_place(page: Any) -> None:
    page.fill("#latex", r"\frac{1}{2")
    page.wait_for_selector("#error:not(:empty)")
    assert "never closed" in page.text_content("#error")
    assert "^" in page.text_content("#error code")


def test_scripts_in_formulae_do_not_run(page: Any) -> None:
    evil = r'<img src=x onerror="window.hit=1"><script>window.hit=1</script>\text{<svg onload=window.hit=1>}'
    type_formula(page, evil)
    assert page.evaluate("window.hit") is None


def test_tabs_by_keyboard_code_and_tree(page: Any) -> None:
    type_formula(page, r"J_\nu(z)", "Bessel functions")
    page.focus("#tab-decisions")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('code').textContent === 'besselj(nu, z)'")
    page.click("#target-mathematica")
    assert page.text_content("#code").startswith("BesselJ[")
    page.click("#copy-code")
    page.wait_for_selector("#copy-code:has-text('Copied')")
    photograph(page, "code")
    page.focus("#tab-code")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#tree img")
    assert "J" in page.text_content("#tree-text")
    photograph(page, "tree")


def test_check_with_a_plot(page: Any) -> None:
    type_formula(page, r"\Gamma(x+1)=x\Gamma(x)", "Gamma function")
    page.click("#tab-check")
    page.click("#check-form button")
    page.wait_for_selector(".verdict.proved", timeout=40_000)
    page.wait_for_selector("#plot svg path.left")
    photograph(page, "check")


def downloaded(page: Any, kind: str) -> str:
    with page.expect_download() as download:
        page.click(f"#download-{kind}")
    return Path(download.value.path()).read_text()


def settled(page: Any) -> None:
    page.wait_for_selector("#document-result:not([hidden]):not([aria-busy])")


def test_a_whole_document_is_reviewed(page: Any) -> None:
    page.click("#tab-document")
    page.set_input_files("#file", SAMPLES / "paper.tex")
    settled(page)
    assert re.search(r"\d+ formulae: .*\d+ translated", page.text_content("#document-status"))
    assert page.get_attribute("#download-result", "download") == "paper.lifted.tex"
    assert r"\EulerGamma@{z}" in downloaded(page, "result")
    assert r"\EulerGamma" in downloaded(page, "macros")
    assert "+" in downloaded(page, "diff")
    photograph(page, "document")
    page.check("#change-filters input[value=uncertain]")
    assert page.locator("#changes .change:not(.uncertain)").count() == 0
    assert page.locator("#changes .change.uncertain").count() > 0


def test_changes_and_symbols_are_rejected_and_taken_back(page: Any) -> None:
    page.click("#tab-document")
    page.click("#drop summary")
    page.fill("#pasted", "The gamma function $\\Gamma(z)$ and the zeta function $\\zeta(s)$. <img src=x onerror=hit=1>")
    page.click("#paste-form button")
    settled(page)
    assert page.locator("#changes .sides math").count() == 4
    assert "the gamma function of z" in page.text_content("#changes")
    page.click("#changes .change:has-text('EulerGamma') button")
    page.wait_for_selector("#changes .change.rejected")
    assert "$\\Gamma(z)$ and the zeta function $\\Riemannzeta@{s}$" in downloaded(page, "result")
    page.select_option(r"#notation select[aria-label='\\zeta means']", "")
    page.wait_for_selector("#notation button:has-text('Take back')")
    assert r"$\zeta(s)$" in downloaded(page, "result")
    assert "[rejected]" in downloaded(page, "choices")
    page.click("#document-undo")
    page.wait_for_selector("#changes .change.translated")
    page.click("#changes button:has-text('Accept again')")
    page.wait_for_function("() => !document.querySelector('#changes .rejected')")
    settled(page)
    assert r"$\EulerGamma@{z}$" in downloaded(page, "result")
    assert page.evaluate("window.hit") is None


def test_the_visual_editor_is_loaded_when_it_is_switched_on(page: Any) -> None:
    loaded = "performance.getEntriesByType('resource').filter((e) => e.name.includes('/editor/')).length"
    assert page.evaluate(loaded) == 0
    type_formula(page, r"J_\nu(z)", "Bessel functions")
    page.click("#visual-toggle")
    field = page.frame_locator("#visual iframe").locator("math-field")
    field.wait_for()
    page.wait_for_function("() => document.activeElement.localName === 'iframe'")
    assert field.evaluate("field => field.getValue('latex')") == r"J_\nu(z)"
    photograph(page, "visual")
    field.evaluate("field => { field.focus(); field.executeCommand('moveToMathfieldEnd'); }")
    page.keyboard.type("+Gamma(x)", delay=20)
    page.wait_for_function(r"() => /\\EulerGamma@\{x\}/.test(document.getElementById('semantic').textContent)")
    page.fill("#latex", r"\zeta(s)")
    page.wait_for_timeout(100)
    assert field.evaluate("field => field.getValue('latex')") == r"\zeta(s)"


def test_lexicon_examples_and_history(page: Any) -> None:
    page.select_option("#examples", "1")
    page.wait_for_function("() => document.getElementById('semantic').textContent.includes('BesselJ')")
    page.click("#tab-history")
    page.wait_for_selector("#history li", timeout=10_000)
    page.click("#tab-macros")
    page.fill("#search", "elliptic integral")
    page.wait_for_selector("#lexicon:not([hidden]) td:has-text('ellint')")


def test_every_control_has_a_name(page: Any) -> None:
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, textarea, meter, [role=tab], [role=tabpanel]")]
            .filter((e) => !(e.labels?.length || e.ariaLabel || e.getAttribute("aria-labelledby")))
            .filter((e) => !e.textContent.trim())
            .map((e) => e.outerHTML)"""
    )
    assert nameless == [] or all("target-panel" in item for item in nameless)


CONTRAST = """() => {
    const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
    const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
        .map((v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
    const back = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
        if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
    return [...document.querySelectorAll("label, .hint, button, a, code, .decision, td, th, h3, p")]
        .filter((e) => e.offsetParent && e.textContent.trim())
        .map((e) => { const [a, b] = [light(rgb(getComputedStyle(e).color)), light(back(e))];
            return [(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.outerHTML.slice(0, 80)]; })
        .filter(([ratio]) => ratio < 4.5);
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_contrast_in_light_and_dark(page: Any, dark: bool) -> None:
    type_formula(page, r"\Gamma(z)\Gamma(1-z)=\frac{\pi}{\sin(\pi z)}", "Gamma function")
    if dark:
        page.click("#theme")
        page.wait_for_timeout(400)  # until colours have stopped changing
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 19, 24)"
    assert page.evaluate(CONTRAST) == []
    photograph(page, "dark" if dark else "page")


def test_phone_width(page: Any) -> None:
    page.set_viewport_size({"width": 375, "height": 740})
    type_formula(page, r"(n+1)P_{n+1}(x)=(2n+1)xP_n(x)-nP_{n-1}(x)", "Legendre polynomials")
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    photograph(page, "phone")


def test_page_weight(page: Any) -> None:
    size = page.evaluate("performance.getEntriesByType('resource').reduce((sum, e) => sum + e.decodedBodySize, 0)")
    assert size + len(page.content()) <= 300_000


def test_api_page(page: Any, service: Any) -> None:
    page.goto(f"{service.url}/static/api.html")
    page.wait_for_selector("h2:has-text('POST /translate/stream')")
