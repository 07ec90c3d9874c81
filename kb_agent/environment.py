"""What differs between machines: every environment variable this product reads."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from kb_agent.launcher import address, place


class Environment(BaseSettings):
    """Read once, when settings load; `docs/settings.md` has a heading for each variable."""

    model_config = SettingsConfigDict(env_prefix="KB_AGENT_", env_ignore_empty=True)

    var: Path = place.BASE_DIR / "var"
    """Folder for data, mirrors, logs, sockets and the generated secret key."""
    database_url: SecretStr | None = Field(None, validation_alias="DATABASE_URL")
    """A real PostgreSQL instead of the embedded one, for the application's role."""
    database_owner_url: SecretStr | None = Field(None, validation_alias="DATABASE_OWNER_URL")
    """The same database for the role that owns the tables and migrates them."""
    database_name: str = "kb_agent"
    """The database on the embedded PostgreSQL."""
    database_pool: int = 16
    """Connections a process may hold; 0 opens one a thread, without a pool."""
    durable: bool = True
    """Whether the embedded PostgreSQL waits for the disk; only tests do without."""
    redis_url: SecretStr | None = Field(None, validation_alias="REDIS_URL")
    """A real Redis or Valkey instead of the embedded one."""
    secret_key: SecretStr | None = None
    """Signs sessions and encrypts stored keys; generated into `var/secret-key` when not given."""
    debug: bool = False
    """Django's debug pages; never on a machine others can reach."""
    host: str = address.DEFAULT_HOST
    """Address the web server listens on."""
    port: int = address.DEFAULT_PORT
    """Port the web server listens on."""
    public_url: str = ""
    """The address people type, when it differs from host and port (behind a proxy)."""
    allowed_hosts: str = ""
    """Further host names to answer to, separated by commas."""
    turn_threads: int = 8
    """Turns one worker process runs at once."""
    turn_lease_seconds: int = 30
    """A turn without a heartbeat for this long may be taken by another worker."""
    turn_heartbeat_seconds: int = 8
    """How often a running turn renews its lease."""
    turn_max_attempts: int = 4
    """Crashed attempts before a turn ends failed."""
    turn_max_steps: int = 16
    """Model calls in one turn."""
    turn_max_seconds: int = 300
    """Time one turn may take."""
    turn_max_tokens: int = 400_000
    """Tokens one turn may use, in and out."""
    question_max_chars: int = 20_000
    """Longest question taken."""
    topic_idle_days: int = 7
    """Days without activity after which an open topic is closed automatically."""
    retention_days: int = Field(0, ge=0)
    """Days after its end when a topic's words are erased for good; 0 keeps them."""
    sweep_seconds: int = 5
    """How often waiting turns, hooks and lapsed leases are looked for."""
    fetch_minutes: int = 10
    """How often repositories without a schedule of their own are fetched; 0 never by itself."""
    git_ca_file: Path | None = None
    """Certificate authorities (PEM) that https servers of code are checked against."""
    git_ssh_key_file: Path | None = None
    """The private key that ssh servers of code are shown."""
    git_known_hosts_file: Path | None = None
    """Host keys of ssh servers of code; no other is accepted."""
    git_answer_seconds: int = Field(30, ge=1)
    """How long a server of code may be silent."""
    archive_still_days: int = Field(90, ge=0)
    """Days without an entry or open topic after which a tape is closed and archived; 0: never."""
    archive_url: str = ""
    """Where closed tapes are archived: `file:///folder` or `s3://bucket/prefix`."""
    archive_endpoint: str = ""
    """The address of that S3 server, when it is not Amazon's."""
    archive_region: str = "us-east-1"
    """That bucket's region."""
    archive_key: str = ""
    """The access key for that bucket; without one the machine's own role counts."""
    archive_secret: SecretStr | None = None
    """That key's secret."""
    llm_base_url: str = ""
    """An OpenAI-compatible endpoint to use when none is set up in the database."""
    llm_api_key: SecretStr | None = None
    """That endpoint's key."""
    llm_model: str = ""
    """That endpoint's model name."""
    llm_window: int | None = Field(None, ge=1_000)
    """That model's context window in tokens, when it is not known by its name."""
    overload_summaries: bool = True
    """Whether a model sums up what a topic too long for it leaves behind."""
    embedding_base_url: str = ""
    """An OpenAI-compatible embeddings endpoint to use when none is set up in the database."""
    embedding_api_key: SecretStr | None = None
    """That endpoint's key."""
    embedding_model: str = ""
    """That endpoint's model name."""
    embedding_inputs: Literal["plain", "input_type", "prefixed"] = "plain"
    """How that model is told a question from a passage."""
    embedding_tokens_a_day: int = Field(0, ge=0)
    """Tokens a day that passages of code may use; 0 sets no limit."""
    cost_time_zone: str = "UTC"
    """Where a day of costs, and a month of budgets, begins: a name such as `Asia/Shanghai`."""
    log_format: str = "text"
    """`text` for people, `json` for machines."""
    log_level: str = "INFO"
    """Lines below this level are not logged."""
