"""The application: the API, the page, health and metrics."""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from texlift import __version__
from texlift.errors import TexliftError
from texlift.macros.lexicon import Macro, lexicon
from texlift.server.batching import Batcher, BusyError
from texlift.server.gate import Gate, error_body
from texlift.server.messages import PlotRequest, ReviewRequest
from texlift.server.metrics import Metrics
from texlift.server.operations import Operations, failure
from texlift.server.routes import add_routes, busy, invalid
from texlift.server.settings import Settings
from texlift.server.uploads import Uploads
from texlift.translate.translator import Translator

__all__ = ["create_app"]

_log = logging.getLogger(__name__)
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".mjs": "text/javascript; charset=utf-8",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
_ABOUT = (
    "LaTeX to semantic LaTeX and to computer algebra. Every error has the same shape: {error: {code, message, ...}}."
)


def create_app(translator: Translator, settings: Settings | None = None, metrics: Metrics | None = None) -> Gate:
    """The service as an ASGI application."""
    settings = settings or Settings()
    metrics = metrics or Metrics()
    batcher = Batcher(translator, settings, metrics)
    operations = Operations(batcher, settings, metrics)
    uploads = Uploads(translator, settings, metrics)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        operations.close()
        uploads.close()

    app = FastAPI(
        title="texlift",
        version=__version__,
        description=_ABOUT,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # another path is an error, as elsewhere
    )
    schemas: dict[str, Any] = {}
    for operation in operations.all:
        schemas |= add_routes(app, operation, settings)
    _add_schemas(app, schemas)
    _add_plot(app, operations)
    _add_document(app, uploads)
    _add_macros(app)
    _add_page(app)

    @app.get("/health", summary="Whether the service is up")
    async def health() -> dict[str, Any]:  # described here, answered by the gate
        return {"status": "ok", "version": __version__, "waiting": metrics.value("waiting")}

    @app.get("/metrics", summary="Counters for Prometheus")
    async def prometheus() -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.exception_handler(HTTPException)
    async def http_error(request: Request, error: HTTPException) -> Response:
        return Response(error_body("http", str(error.detail)), error.status_code, media_type="application/json")

    @app.exception_handler(RequestValidationError)
    async def wrong_parameter(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        message = f"{'.'.join(str(part) for part in first['loc'][1:])}: {first['msg']}"
        return Response(error_body("request", message), 400, media_type="application/json")

    @app.exception_handler(Exception)
    async def unexpected(request: Request, error: Exception) -> Response:
        _log.error("while answering %s", request.url.path, exc_info=error)
        return Response(error_body("internal", "something went wrong on our side"), 500, media_type="application/json")

    return Gate(app, settings, metrics)


def _add_schemas(app: FastAPI, schemas: dict[str, Any]) -> None:
    """Schemas that the hand-written request bodies refer to."""
    original = app.openapi

    def openapi() -> dict[str, Any]:
        described = original()
        described.setdefault("components", {}).setdefault("schemas", {}).update(schemas)
        return described

    app.openapi = openapi  # type: ignore[method-assign]


def _add_plot(app: FastAPI, operations: Operations) -> None:
    @app.post("/plot", summary="Both sides of an equation along one variable", response_class=Response)
    async def plot(request: Request) -> Response:
        from texlift.server.plotting import curves

        try:
            asked = PlotRequest.model_validate_json(await request.body())
            record = await operations.aside(curves, asked.semantic, asked.constraints)
        except ValidationError as error:
            return Response(invalid(error), 400, media_type="application/json")
        except TexliftError as error:
            return Response(failure(error).body, 422, media_type="application/json")
        except BusyError as error:
            return busy(error)
        return JSONResponse(record)


def _add_document(app: FastAPI, uploads: Uploads) -> None:
    @app.post(
        "/document", summary="A whole document: the file is the body, its name a parameter", response_class=Response
    )
    async def document(
        request: Request,
        name: Annotated[str, Query(max_length=200, examples=["paper.tex"])],
        threshold: Annotated[float, Query(ge=0, le=1)] = 0.7,
    ) -> Response:
        try:
            return Response(await uploads.lift(await request.body(), name, threshold), media_type="application/json")
        except TexliftError as error:
            return Response(failure(error).body, 422, media_type="application/json")
        except BusyError as error:
            return busy(error)

    schema = ReviewRequest.model_json_schema()
    body = {"application/json": {"schema": schema, "example": schema.pop("examples")[0]}}

    @app.post(
        "/document/review",
        summary="A document with its author's choices: what there is to review",
        response_class=Response,
        openapi_extra={"requestBody": {"required": True, "content": body}},
    )
    async def review(request: Request) -> Response:
        try:
            asked = ReviewRequest.model_validate_json(await request.body())
            data = base64.b64decode(asked.data, validate=True)
            return Response(await uploads.review(data, asked), media_type="application/json")
        except ValidationError as error:
            return Response(invalid(error), 400, media_type="application/json")
        except binascii.Error as error:
            return Response(error_body("request", f"data: {error}"), 400, media_type="application/json")
        except TexliftError as error:
            return Response(failure(error).body, 422, media_type="application/json")
        except BusyError as error:
            return busy(error)


def _add_macros(app: FastAPI) -> None:
    @app.get("/macros", summary="Search the lexicon")
    async def macros(
        q: Annotated[str, Query(max_length=200, examples=["bessel"])] = "",
        limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    ) -> dict[str, Any]:
        found = lexicon().search(q)
        return {"total": len(found), "macros": [_entry(macro) for macro in found[:limit]]}

    @app.get("/vocabulary", summary="Search what a symbol may be declared to mean: kinds, macros, concepts")
    async def meanings(
        q: Annotated[str, Query(max_length=200, examples=["expectation"])] = "",
        limit: Annotated[int, Query(ge=1, le=200)] = 30,
    ) -> dict[str, Any]:
        from texlift.server.glossary import found

        return found(q, limit)

    @app.get("/macros/{name}", summary="One macro", responses={404: {"description": "no such macro"}})
    async def macro(name: str) -> dict[str, Any]:
        found = lexicon().lookup(name[:200])
        if found is None:
            near = ", ".join(other.name for other in lexicon().near(name[:200], 3))
            raise HTTPException(404, f"no macro {name[:200]!r}" + (f"; did you mean {near}?" if near else ""))
        return _entry(found)


def _entry(macro: Macro) -> dict[str, Any]:
    return {**macro.as_entry(), "call": macro.call_form, "generic": macro.generic_form, "url": macro.dlmf_url}


def _add_page(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        return _static("index.html", request)

    @app.get("/docs", include_in_schema=False)
    async def description(request: Request) -> Response:
        return _static("api.html", request)

    @app.get("/static/{name}", include_in_schema=False)
    async def static(name: str, request: Request) -> Response:
        return _static(name, request)

    @app.get("/static/editor/{name}", include_in_schema=False)
    async def editor(name: str, request: Request) -> Response:
        return _static(f"editor/{name}", request)


@cache
def _files() -> dict[str, tuple[bytes, str, str]]:
    """All files of the page: content, type and tag. Only these names are ever served."""
    import hashlib

    found = {}
    page = files("texlift.server").joinpath("static")
    for prefix, folder in (("", page), ("editor/", page.joinpath("editor"))):
        for file in folder.iterdir():
            suffix = "." + file.name.rpartition(".")[2]
            if suffix in _TYPES:
                content = file.read_bytes()
                tag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
                found[prefix + file.name] = (content, _TYPES[suffix], tag)
    return found


def _static(name: str, request: Request) -> Response:
    if name not in _files():
        raise HTTPException(404, "no such file")
    content, media, tag = _files()[name]
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=media)
