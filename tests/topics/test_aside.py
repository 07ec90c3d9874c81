"""What a thread lent a connection takes along of it, held to the Django that is installed (P4)."""

from __future__ import annotations

from django.db import DEFAULT_DB_ALIAS, connections

from topics.hooks import aside

ITS_OWN = frozenset(
    {"alias", "settings_dict", "client", "creation", "features", "introspection", "ops"}
    | {"validation", "_thread_sharing_lock", "_thread_sharing_count", "_thread_ident"}
    # These decide when a request's end closes a connection, which is the caller's to do.
    | {"close_at", "health_check_enabled", "health_check_done"}
    # Django's own tests set it.
    | {"run_commit_hooks_on_set_autocommit_on"}
)


def test_P4_every_part_of_a_connection_is_copied_or_known_to_be_each_sides_own() -> None:
    fresh = connections.create_connection(DEFAULT_DB_ALIAS)
    assert set(vars(fresh)) == {*aside.COPIED, *aside.COPIED_LISTS, *ITS_OWN}
