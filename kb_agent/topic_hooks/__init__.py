"""Hooks of topics that need a model or an index; named in `settings.TOPIC_HOOKS`."""
