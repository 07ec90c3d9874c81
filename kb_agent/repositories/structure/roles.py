"""What a file is for, told from its path, and how much its words weigh in a search.

The weights are data: a question asks what code decides, so code stands before settings and templates, these before
documents, tests last (they repeat the words of the rule they try).
"""

from __future__ import annotations

import re

ROLES = (
    "code",
    "edge",
    "declaration",
    "template",
    "script",
    "config",
    "data",
    "docs",
    "test",
    "migration",
    "package",
    "markup",
    "page",
    "style",
)
WEIGHTS: dict[str, float] = {
    "code": 1.0,
    "edge": 0.85,
    "declaration": 0.6,
    "template": 0.6,
    "script": 0.6,
    "config": 0.7,
    "data": 0.3,
    "docs": 0.5,
    "test": 0.5,
    "migration": 0.3,
    "package": 0.85,
    "markup": 0.7,
    "page": 0.75,
    "style": 0.1,
}
# The first rule that a lower-case path meets decides.
RULES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (role, re.compile(pattern))
    for role, pattern in (
        (
            "test",
            r"(^|/)(tests?|testing|spec|specs|__tests__|e2e|fixtures|testdata)/|(^|/)(test_[^/]*|conftest)\.py$",
        ),
        (
            "test",
            r"([._-](test|tests|spec)|(?<=[a-z])test)\.(py|[jt]sx?|java|kt|go|rb|php|cs|rs)$|(^|/)tests?\.py$",
        ),
        (
            "migration",
            r"(^|/)(migrations?|alembic|versions|flyway|liquibase|db/migrate|changelogs?)/",
        ),
        (
            "docs",
            r"(^|/)(docs?|documentation|manual|wiki)/|\.(md|mdx|rst|txt|adoc|tex|org)$|(^|/)(readme|changelog|license|authors)[^/]*$",
        ),
        (
            "declaration",
            r"\.(d\.ts|pyi|h|hpp|proto|graphql|idl|wsdl|xsd)$|(^|/)[^/]*(dto|vo|pojo)s?\.(java|kt|cs|ts)$",
        ),
        (
            "template",
            r"\.(html?|jinja2?|j2|tmpl|tpl|ftl|jsp|erb|ejs|hbs|mustache|twig|pug|cshtml|blade\.php|mjml)$",
        ),
        ("page", r"\.(tsx|jsx|vue|svelte)$"),
        ("style", r"\.(css|scss|sass|less|styl)$"),
        ("markup", r"\.xml$"),
        (
            "data",
            r"\.(csv|tsv|jsonl|ndjson|geojson|json|lock|ipynb)$|(^|/)(data|seeds?|samples?|demo)/[^/]*\.(json|ya?ml|txt)$",
        ),
        (
            "config",
            r"\.(ya?ml|toml|ini|cfg|conf|properties|env|tf|hcl|gradle)$|(^|/)(dockerfile|makefile|jenkinsfile)[^/]*$",
        ),
        ("script", r"\.(jsx?|mjs|cjs|sh|bash|bat|ps1)$"),
        ("package", r"(^|/)(__init__\.py|index\.[jt]s|mod\.rs|package-info\.java)$"),
        (
            "edge",
            r"(^|/)(forms?|serializers?|admin|filters?|filtersets?|urls|routes?|schemas?|tables?|types|graphql|choices)(/|\.)",
        ),
    )
)


def role(path: str) -> str:
    """The role of the file at `path`, one of `ROLES`."""
    lowered = path.lower()
    return next((role for role, pattern in RULES if pattern.search(lowered)), "code")
