"""Which grammar reads a file, and which of its nodes define something."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import semble_grammars
from django.conf import settings
from tree_sitter import Language, Parser

ENDINGS: dict[str, str] = {
    ".py": "python",
    ".pyw": "python",
    ".pyi": "python",
    ".java": "java",
    ".kt": "kotlin",
    ".kts": "kotlin",
    ".go": "go",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".vue": "vue",
    ".cs": "csharp",
    ".php": "php",
    ".rb": "ruby",
    ".rake": "ruby",
    ".rs": "rust",
    ".c": "c",
    ".h": "cpp",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".hpp": "cpp",
    ".hh": "cpp",
    ".hxx": "cpp",
    ".ipp": "cpp",
    ".swift": "swift",
    ".scala": "scala",
    ".dart": "dart",
    ".lua": "lua",
    ".sh": "bash",
    ".bash": "bash",
    ".proto": "proto",
    ".md": "markdown",
    ".mdx": "markdown",
    ".rst": "text",
    ".txt": "text",
    ".sql": "sql",
    ".html": "html",
    ".htm": "html",
    ".xml": "xml",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".json": "json",
    ".toml": "toml",
    ".ini": "ini",
    ".cfg": "ini",
    ".properties": "properties",
    **dict.fromkeys((".ddl", ".pks", ".pkb", ".prc", ".fnc", ".trg", ".plsql"), "sql"),
    # Pages of the template languages: Jinja, JSP, Thymeleaf, FreeMarker, Velocity, ERB, EJS, Twig, Razor.
    **dict.fromkeys((".jinja", ".jinja2", ".j2", ".jsp", ".jspf", ".tag", ".ftl", ".vm"), "html"),
    **dict.fromkeys((".erb", ".ejs", ".hbs", ".mustache", ".twig", ".cshtml", ".xhtml"), "html"),
    **dict.fromkeys((".wsdl", ".xsd", ".resx", ".xlf", ".xliff", ".axml"), "xml"),
    ".css": "css",
    ".scss": "scss",
    ".less": "css",
    ".po": "po",
}


@dataclass(frozen=True)
class Structure:
    """Node types of a grammar: definitions that hold others, and definitions that are read whole."""

    holders: frozenset[str]
    units: frozenset[str]
    # Nodes that may hold definitions without being one; everything else is not looked into.
    through: frozenset[str] = field(default_factory=frozenset)


def _structure(holders: str, units: str, through: str = "") -> Structure:
    return Structure(*(frozenset(words.split()) for words in (holders, units, through)))


_SCRIPT = _structure(
    "class_declaration abstract_class_declaration class interface_declaration internal_module module enum_declaration",
    "function_declaration generator_function_declaration method_definition variable_declarator type_alias_declaration pair"
    " assignment_expression field_definition public_field_definition function_signature method_signature"
    " abstract_method_signature",
    "program export_statement statement_block class_body lexical_declaration variable_declaration expression_statement"
    " call_expression arguments object arrow_function function_expression object_type ambient_declaration if_statement",
)
_BRANCHES = " preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification"
STRUCTURES: dict[str, Structure] = {
    "python": _structure(
        "class_definition",
        "function_definition",
        "module block decorated_definition if_statement else_clause elif_clause try_statement except_clause with_statement",
    ),
    "java": _structure(
        "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
        "method_declaration constructor_declaration compact_constructor_declaration",
        "program class_body interface_body enum_body enum_body_declarations",
    ),
    "kotlin": _structure(
        "class_declaration object_declaration companion_object",
        "function_declaration property_declaration secondary_constructor type_alias",
        "source_file class_body enum_class_body",
    ),
    "go": _structure(
        "type_spec",
        "function_declaration method_declaration type_alias method_elem method_spec",
        "source_file type_declaration interface_type",
    ),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
    "csharp": _structure(
        "class_declaration interface_declaration struct_declaration enum_declaration record_declaration",
        "method_declaration constructor_declaration property_declaration local_function_statement delegate_declaration",
        "compilation_unit namespace_declaration file_scoped_namespace_declaration declaration_list",
    ),
    "php": _structure(
        "class_declaration interface_declaration trait_declaration enum_declaration",
        "function_definition method_declaration",
        "program declaration_list enum_declaration_list namespace_definition compound_statement if_statement"
        " return_statement object_creation_expression anonymous_class expression_statement",
    ),
    "ruby": _structure(
        "class module",
        "method singleton_method",
        "program body_statement singleton_class call do_block argument_list",
    ),
    "rust": _structure(
        "impl_item trait_item mod_item",
        "function_item struct_item enum_item union_item function_signature_item macro_definition type_item",
        "source_file declaration_list",
    ),
    "c": _structure(
        "",
        "function_definition struct_specifier enum_specifier preproc_function_def",
        "translation_unit declaration type_definition" + _BRANCHES,
    ),
    "cpp": _structure(
        "class_specifier struct_specifier namespace_definition",
        "function_definition enum_specifier preproc_function_def",
        "translation_unit declaration_list field_declaration_list template_declaration declaration type_definition"
        + _BRANCHES,
    ),
    "swift": _structure(
        "class_declaration protocol_declaration",
        "function_declaration init_declaration",
        "source_file class_body protocol_body",
    ),
    "scala": _structure(
        "class_definition object_definition trait_definition",
        "function_definition",
        "compilation_unit template_body package_clause",
    ),
    "dart": _structure(
        "class_definition mixin_declaration",
        "function_signature method_signature",
        "program class_body declaration",
    ),
    "lua": _structure("", "function_declaration", "chunk"),
    "bash": _structure("", "function_definition", "program"),
    "proto": _structure("service message", "rpc enum", "source_file message_body oneof"),
}


def language(path: str) -> str:
    """The language that a path's ending names, or an empty string."""
    name = path.rpartition("/")[2].lower()
    if name.endswith(".blade.php"):
        return "html"
    return ENDINGS.get(Path(name).suffix, "")


@cache
def grammar(name: str) -> Language:
    """The compiled grammar; unpacked once into a folder of ours that can be written."""
    os.environ.setdefault("SEMBLE_GRAMMARS_CACHE_DIR", str(Path(settings.VAR) / "grammars"))
    found: Language = semble_grammars.get_language(name)
    return found


def parser(name: str) -> Parser:
    """A fresh parser: one may not be shared between threads."""
    return Parser(grammar(name))
