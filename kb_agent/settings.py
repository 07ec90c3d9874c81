"""Django's settings; everything that differs between machines is read by `Environment`."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

import structlog

from kb_agent.environment import Environment
from kb_agent.launcher.place import BASE_DIR, Place

if TYPE_CHECKING:
    from pydantic import SecretStr
    from structlog.typing import Processor


def _database(url: SecretStr) -> dict[str, Any]:
    parts = urlsplit(url.get_secret_value())
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": dict(parse_qsl(parts.query)),
    }


def _embedded(place: Place, name: str, user: str) -> dict[str, Any]:
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": user,
        "HOST": str(place.sockets),
        "OPTIONS": {},
    }


def _databases(environment: Environment, place: Place) -> dict[str, dict[str, Any]]:
    """`default` is the application's role, `owner` the tables' owner; see docs/settings.md."""
    if environment.database_url is None:
        default = _embedded(place, environment.database_name, "kb_agent_app")
        owner = _embedded(place, environment.database_name, "kb_agent_owner")
    else:
        default = _database(environment.database_url)
        owner = _database(environment.database_owner_url or environment.database_url)
        if environment.database_owner_url is None:
            default = _with(default, "role=kb_agent_app")
    # A worker that stands still inside a transaction holds its tape's lock: for as long as its
    # lease, no longer.
    default = _with(
        default, f"idle_in_transaction_session_timeout={environment.turn_lease_seconds}s"
    )
    if environment.database_pool:
        # No connection is kept open for nothing: each costs the server some megabytes.
        pool = {"min_size": 0, "max_size": environment.database_pool, "max_idle": 60, "timeout": 10}
        default["OPTIONS"]["pool"] = pool
    # Tests create and migrate their database as the owner, and use it as the application.
    default["TEST"] = {"MIRROR": "owner"}
    owner["TEST"] = {"DEPENDENCIES": []}
    # Pooled connections are tried before use: after a restart of the server they are all dead.
    steady = {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
    return {"default": default | steady, "owner": owner | steady}


def _with(database: dict[str, Any], parameter: str) -> dict[str, Any]:
    """The same database, every connection beginning with this server parameter as well."""
    given = database["OPTIONS"].get("options", "")
    return database | {
        "OPTIONS": database["OPTIONS"] | {"options": f"{given} -c {parameter}".strip()}
    }


def _secret_key(environment: Environment) -> str:
    if environment.secret_key is not None:
        return environment.secret_key.get_secret_value()
    path = environment.var / "secret-key"
    environment.var.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # Whole or not at all: another process starting now must never read half a key.
        with tempfile.NamedTemporaryFile("w", dir=environment.var) as whole:
            whole.write(secrets.token_urlsafe(50))
            whole.flush()
            with suppress(FileExistsError):
                os.link(whole.name, path)
    return path.read_text()


ENVIRONMENT = Environment()
VAR = ENVIRONMENT.var = ENVIRONMENT.var.absolute()
PLACE = Place(VAR)

SECRET_KEY = _secret_key(ENVIRONMENT)
DEBUG = ENVIRONMENT.debug
PUBLIC_URL = ENVIRONMENT.public_url or f"http://{ENVIRONMENT.host}:{ENVIRONMENT.port}"
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", urlsplit(PUBLIC_URL).hostname or ""]
ALLOWED_HOSTS += [host.strip() for host in ENVIRONMENT.allowed_hosts.split(",") if host.strip()]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PUBLIC_URL.startswith("https:")
SESSION_COOKIE_HTTPONLY = True
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None

DATABASES = _databases(ENVIRONMENT, PLACE)
# What the application's connections may do is granted to this role after every migrate.
APPLICATION_ROLE = (
    DATABASES["default"]["USER"]
    if ENVIRONMENT.database_owner_url or ENVIRONMENT.database_url is None
    else "kb_agent_app"
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = (
    ENVIRONMENT.redis_url.get_secret_value()
    if ENVIRONMENT.redis_url
    else f"unix://{PLACE.valkey_socket}?db=0"
)

ROOT_URLCONF = "kb_agent.urls"
ASGI_APPLICATION = "kb_agent.asgi.application"
AUTH_USER_MODEL = "accounts.User"
LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

INSTALLED_APPS = [
    "tapes",
    "topics",
    "kb_agent.accounts",
    "kb_agent.llm",
    "kb_agent.repositories",
    "kb_agent",
    "rest_framework",
    "drf_spectacular",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
]

MIDDLEWARE = [
    # Outermost, so that every answer carries the security headers, files included.
    "kb_agent.api.security.headers",
    "django.middleware.security.SecurityMiddleware",
    # The built front end, before anything that costs a query.
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    # Gives every log line of a request its id and person.
    "kb_agent.api.request_log.RequestLog",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# People are set up by an administrator, never by themselves.
ACCOUNT_ADAPTER = "kb_agent.accounts.adapter.ClosedAdapter"

FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_ROOT = FRONTEND_DIST if FRONTEND_DIST.is_dir() else None
WHITENOISE_INDEX_FILE = False
# Vite puts a hash of the content into each of these names.
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/assets/"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["kb_agent.api.signin.BrowserSession"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {"questions": "60/min", "evidence": "120/min", "links": "30/min"},
    "EXCEPTION_HANDLER": "kb_agent.api.errors.handler",
}
CSRF_FAILURE_VIEW = "kb_agent.api.errors.csrf_failure"
SPECTACULAR_SETTINGS = {
    "TITLE": "KB Agent",
    "DESCRIPTION": "Business questions answered from code, with evidence.",
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api",
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    # Several nouns have a status; each list of words gets a name of its own.
    "ENUM_NAME_OVERRIDES": {
        "ShareKind": "kb_agent.api.sharing.SHARE_KINDS",
        "TopicStatus": "kb_agent.api.topics.STATUSES",
        "TurnStatus": "kb_agent.api.turns.STATUSES",
        "RepositoryStatus": "kb_agent.api.repositories.STATUSES",
        "RepositoryAnswers": "kb_agent.api.repositories.ANSWERS",
        "SourceError": "kb_agent.api.repositories.ERROR_CODES",
        "IndexRunStatus": "kb_agent.api.repositories.RUN_STATUSES",
        "Language": "kb_agent.api.people.LANGUAGES",
        "Role": "kb_agent.api.people.ROLES",
        "EntryKind": "kb_agent.api.topics.KINDS",
        "Does": "kb_agent.api.questions.DOES",
        "ClosedCode": "kb_agent.api.stream.CLOSED",
        "WordSource": "kb_agent.api.vocabulary.SOURCES",
        "ExplainedSource": "kb_agent.api.vocabulary.EXPLAINED",
        "FactStatus": "kb_agent.api.facts.STATUSES",
        "FactOrigin": "kb_agent.api.facts.ORIGINS",
        "WordState": "kb_agent.api.vocabulary.STATES",
        "CorrectedState": "kb_agent.api.vocabulary.CORRECTED",
        "TopicWhose": "kb_agent.api.topic_list.WHOSE",
        "FinishOutcome": "kb_agent.api.topic_list.OUTCOMES",
        "HookStage": "kb_agent.api.hooks.STAGES",
        "BudgetScope": "kb_agent.accounts.budget_models.Scope.values",
        "EvaluationTrigger": "kb_agent.api.evaluation.TRIGGERS",
    },
}

TURN_LEASE_SECONDS = ENVIRONMENT.turn_lease_seconds
TURN_HEARTBEAT_SECONDS = ENVIRONMENT.turn_heartbeat_seconds
TURN_MAX_ATTEMPTS = ENVIRONMENT.turn_max_attempts
TURN_MAX_STEPS = ENVIRONMENT.turn_max_steps
TURN_MAX_SECONDS = ENVIRONMENT.turn_max_seconds
TURN_MAX_TOKENS = ENVIRONMENT.turn_max_tokens
QUESTION_MAX_CHARS = ENVIRONMENT.question_max_chars
ARCHIVE_STILL_DAYS = ENVIRONMENT.archive_still_days
TAPES_ARCHIVE = {
    "url": ENVIRONMENT.archive_url or (VAR / "archive").as_uri(),
    "endpoint": ENVIRONMENT.archive_endpoint,
    "region": ENVIRONMENT.archive_region,
    "key": ENVIRONMENT.archive_key,
    "secret": (ENVIRONMENT.archive_secret.get_secret_value() if ENVIRONMENT.archive_secret else ""),
}
TOPIC_IDLE_DAYS = ENVIRONMENT.topic_idle_days
RETENTION_DAYS = ENVIRONMENT.retention_days
SWEEP_SECONDS = ENVIRONMENT.sweep_seconds
# Django refuses larger bodies before reading them; a question is UTF-8 inside JSON.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000_000

GIT_CA_FILE = ENVIRONMENT.git_ca_file
GIT_SSH_KEY_FILE = ENVIRONMENT.git_ssh_key_file
GIT_KNOWN_HOSTS_FILE = ENVIRONMENT.git_known_hosts_file
GIT_ANSWER_SECONDS = ENVIRONMENT.git_answer_seconds

LLM_BASE_URL = ENVIRONMENT.llm_base_url
LLM_API_KEY = ENVIRONMENT.llm_api_key.get_secret_value() if ENVIRONMENT.llm_api_key else ""
LLM_MODEL = ENVIRONMENT.llm_model
LLM_WINDOW = ENVIRONMENT.llm_window
OVERLOAD_SUMMARIES = ENVIRONMENT.overload_summaries
EMBEDDING_BASE_URL = ENVIRONMENT.embedding_base_url
EMBEDDING_API_KEY = (
    ENVIRONMENT.embedding_api_key.get_secret_value() if ENVIRONMENT.embedding_api_key else ""
)
EMBEDDING_MODEL = ENVIRONMENT.embedding_model
EMBEDDING_INPUTS = ENVIRONMENT.embedding_inputs
EMBEDDING_TOKENS_A_DAY = ENVIRONMENT.embedding_tokens_a_day
COST_TIME_ZONE = ENVIRONMENT.cost_time_zone

# What runs when a topic starts and ends, in this order (docs/topics.md).
TOPIC_HOOKS: dict[str, list[str]] = {
    "pre_topic_initial": [
        # One topic at a time on a tape: the one still open there ends first.
        "topics.finalize_prev.topic_finalize_prev",
    ],
    "post_topic_initial": [
        # Accepted facts that the first question is about stand before the model, with their origin.
        "kb_agent.topic_hooks.known_facts.note_facts",
        # Earlier topics that are near to the question are noted for the agent.
        "kb_agent.topic_hooks.recall.recall",
    ],
    "pre_topic_finalized": [
        # Every topic has a summary, of its own words alone.
        "kb_agent.topic_hooks.summary.from_own_words",
    ],
    "post_topic_finalized": [
        # A model, where one is set up, words title and summary better.
        "kb_agent.topic_hooks.summary.from_model",
        # Later topics recall this one by its words and places.
        "kb_agent.topic_hooks.recall.remember",
        # What the topic taught is proposed as facts, for a reviewer to accept.
        "kb_agent.topic_hooks.facts.draw_facts",
    ],
}

_PROCESSORS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "foreign_pre_chain": _PROCESSORS,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(ensure_ascii=False)
                if ENVIRONMENT.log_format == "json"
                else structlog.processors.LogfmtRenderer(bool_as_flag=False),
            ],
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["stderr"], "level": ENVIRONMENT.log_level},
}
structlog.configure(
    processors=[*_PROCESSORS, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)
