# The service in a container: small, without root, with a file system that may be read-only.
#
#   docker build -t texlift .
#   docker run --rm --read-only --cap-drop ALL -p 127.0.0.1:8017:8017 texlift

FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/texlift \
 && /opt/texlift/bin/pip install --no-cache-dir -c constraints.txt '.[serve]' \
 && /opt/texlift/bin/pip uninstall -y pip

FROM python:3.13-slim
LABEL org.opencontainers.image.title="texlift" \
      org.opencontainers.image.description="LaTeX to meaning: semantic LaTeX and computer algebra" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/texlift /opt/texlift
# Nothing is written: no bytecode, no configuration of the plotting library, no home.
ENV PATH=/opt/texlift/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    MPLCONFIGDIR=/tmp \
    OPENBLAS_NUM_THREADS=1
USER 10001:10001
EXPOSE 8017
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8017/health', timeout=2)"]
ENTRYPOINT ["texlift", "serve", "--host", "0.0.0.0", "--port", "8017"]
# Behind a proxy all requests come from one address: let the proxy limit its clients, and say by which name it calls.
CMD ["--workers", "2"]
