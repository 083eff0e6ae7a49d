# Tavola as a container: docker build -t tavola . && docker run -p 8000:8000 -v tavola:/data tavola
# docs/how-to/host-a-server.md says the rest.

# The browser client.
FROM node:24-bookworm-slim AS client
WORKDIR /tavola/web
COPY web/package.json web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY web ./
RUN npm run build

# The wheel: the compiled core, with the client inside.
FROM python:3.13-slim-bookworm AS wheel
RUN apt-get update \
    && apt-get install --yes --no-install-recommends build-essential curl ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && curl --proto '=https' --tlsv1.2 -fsS https://sh.rustup.rs \
        | sh -s -- -y --profile minimal --default-toolchain 1.88.0
ENV PATH=/root/.cargo/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /tavola
COPY requirements requirements
RUN pip install --require-hashes -r requirements/build.txt \
    && pip install --require-hashes --target /packages -r requirements/club.txt
COPY pyproject.toml Cargo.toml Cargo.lock README.md LICENSE ./
COPY .cargo .cargo
COPY crates crates
COPY games games
COPY scripts scripts
COPY python python
COPY --from=client /tavola/web/dist python/tavola/web
RUN scripts/build-wasm
RUN pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && pip install --no-deps --target /packages /wheels/*.whl

# The runtime image: Python, the packages, and a user who may write to /data alone.
FROM python:3.13-slim-bookworm
RUN useradd --uid 10001 --no-create-home --home-dir /data tavola && install -d -o tavola -g tavola -m 700 /data
COPY --from=wheel /packages /packages
ENV PYTHONPATH=/packages PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 PORT=8000 TAVOLA_DATABASE=sqlite:////data/tavola.db
USER tavola
WORKDIR /data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s CMD ["python", "-c", \
    "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/readyz', timeout=5)"]
ENTRYPOINT ["python", "-m", "tavola"]
CMD ["serve", "--no-browser"]
