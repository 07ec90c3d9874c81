"""HTTP: translate a request, make one call to `kb_agent.usecases`, answer; one module a noun."""
