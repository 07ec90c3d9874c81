"""The order of the doctor's looks: what others rest on comes first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb_agent.doctor import archive, configuration, database, embeddings, machine, services, windows
from kb_agent.doctor.finding import Level

if TYPE_CHECKING:
    from kb_agent.doctor.finding import Finding


def examine() -> list[Finding]:
    """Everything; what needs a database is left out when none answers."""
    findings = [*machine.look(), *configuration.look()]
    connected = database.connections_answer()
    findings += connected
    if all(finding.level is not Level.FAILED for finding in connected):
        findings += database.look()
        findings += services.look_at_rows()
        findings += windows.look()
        findings += embeddings.look()
        findings += archive.look()
    findings += services.look()
    return findings
