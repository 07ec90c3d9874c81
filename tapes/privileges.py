"""What the application's database role may do with tapes: read, and call the functions that write."""

from __future__ import annotations

FUNCTIONS = (
    "tapes_append(bigint, bigint, bigint, bigint, text[], text[], text[], bigint[], bigint[],"
    " integer[], integer[], text[], text[], text[], boolean[], bytea,"
    " timestamptz[])",
    "tapes_append_one(bigint, bigint, bigint, bigint, text, text, text, bigint, bigint, integer,"
    " integer, text, text, bigint[], boolean, bytea)",
    "tapes_import_open(text)",
    "tapes_import_close(bigint)",
    "tapes_close(bigint)",
    "tapes_create(text, text, text, text)",
    "tapes_fork_open(bigint)",
    "tapes_fork_renew(bigint)",
    "tapes_fork_close(bigint, bigint, text, text, bigint, bigint, integer, integer, text, text,"
    " text)",
    # The index of neighbours of a space of vectors.
    "tapes_order_meaning(bigint)",
    "tapes_forget_meaning_order(bigint)",
)
"""Signatures of everything that writes, as GRANT wants them."""

_TABLES = "tapes_tape, tapes_fork, tapes_entry, tapes_anchor"

# A right on a partition would be a way around the table in front of it.
_PARTITIONS = """
DO $$
DECLARE partition regclass;
BEGIN
    FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'tapes_entry'::regclass LOOP
        EXECUTE 'REVOKE ALL ON ' || partition || ' FROM {role}';
    END LOOP;
END $$
"""

PROTECTED = (
    f"REVOKE ALL ON {_TABLES} FROM {{role}}",
    f"GRANT SELECT ON {_TABLES} TO {{role}}",
    _PARTITIONS,
    # A spilled text may be added, its digest is checked by the table; never changed.
    "REVOKE ALL ON tapes_spill FROM {role}",
    "GRANT SELECT, INSERT ON tapes_spill TO {role}",
    "REVOKE ALL ON FUNCTION tapes_fork_locked(bigint) FROM PUBLIC",
    # Erasing is the owner's alone (T19).
    "REVOKE ALL ON FUNCTION tapes_forget(bigint, bigint, bigint) FROM PUBLIC",
    "REVOKE ALL ON FUNCTION tapes_erase(bigint, bigint, bigint, bigint[], text[], text[], text,"
    " text) FROM PUBLIC",
    *(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC" for function in FUNCTIONS),
    *(f"GRANT EXECUTE ON FUNCTION {function} TO {{role}}" for function in FUNCTIONS),
)
"""Statements run by the owner after every migrate, with `{role}` for the application's role."""


def statements(app_role: str) -> list[str]:
    """Return the statements for a role whose name is already quoted."""
    return [statement.format(role=app_role) for statement in PROTECTED]
