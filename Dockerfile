# The product in one image; docker-compose.yml runs it as web, worker, indexer and beat.
# Both bases are arguments, so that a company builds from its own: any Debian with Python 3.11,
# and any with Node 20 or newer.
ARG BASE=python:3.11-slim-bookworm
ARG NODE_BASE=node:20-bookworm-slim

FROM ${NODE_BASE} AS pages
WORKDIR /build/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend ./
RUN npm run build

FROM ${BASE}
# Security fixes of the base's packages are wanted, so their versions are not pinned.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git openssh-client python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --no-log-init --uid 10001 --home-dir /data --shell /usr/sbin/nologin kb-agent \
    && install -d -m 0700 -o 10001 -g kb-agent /data
WORKDIR /app
COPY requirements/run.txt requirements/run.txt
RUN python3 -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements/run.txt
COPY LICENSE README.md pyproject.toml manage.py ./
COPY tapes tapes
COPY topics topics
COPY kb_agent kb_agent
COPY --from=pages /build/frontend/dist frontend/dist
ENV KB_AGENT_VAR=/data KB_AGENT_HOST=0.0.0.0 KB_AGENT_LOG_FORMAT=json PYTHONUNBUFFERED=1
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
    CMD ["/venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/api/health', timeout=4)"]
ENTRYPOINT ["/venv/bin/python", "-m", "kb_agent.launcher"]
CMD ["web"]
