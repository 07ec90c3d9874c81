"""Turns a blob's bytes into lines the same way everywhere: index, excerpts and evidence."""

from __future__ import annotations

SAMPLE = 8000
# Names that a path may not go through: git writes none of them, but other programs can.
NOWHERE = frozenset([b"", b".", b"..", b".git"])


class Binary(Exception):
    """The bytes are no text."""

    code = "binary"


def decode(data: bytes) -> str:
    """The text of `data`: UTF-8, else GB18030, else Latin-1. Raises `Binary`."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _utf16(data)
    if b"\0" in data[:SAMPLE]:
        raise Binary("the file is binary")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _other(data)
    return text.replace("\0", "\ufffd")


def lines(text: str) -> list[str]:
    """Lines as git and editors count them: ended by LF or CRLF, nothing else."""
    found = text.split("\n")
    if found[-1] == "":
        found.pop()
    return [line.removesuffix("\r") for line in found]


def whole(text: str) -> str:
    """What escapes in a file said, as it can be kept: halves of a character joined, a lone one and NUL replaced."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\0", "\ufffd")


def name(raw: bytes) -> str | None:
    """A path as people read it, or None when it cannot be written down in one line and found again within a tree."""
    if not NOWHERE.isdisjoint(raw.split(b"/")):
        return None
    for encoding in ("utf-8", "gb18030"):
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text if text.encode(encoding) == raw and text.isprintable() else None
    return None


def escaped(raw: bytes) -> str:
    """Any name in one line of plain characters, for lists that people read."""
    return "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in raw)


def raw_names(text: str) -> tuple[bytes, ...]:
    """The byte names that `name` could have read as `text`, likeliest first."""
    try:
        return text.encode(), text.encode("gb18030")
    except UnicodeEncodeError:
        return ()


def _utf16(data: bytes) -> str:
    try:
        return data.decode("utf-16").replace("\0", "\ufffd")
    except UnicodeDecodeError as wrong:
        raise Binary("the file is binary") from wrong


def _other(data: bytes) -> str:
    try:
        return data.decode("gb18030")
    except UnicodeDecodeError:
        sample = data[:SAMPLE]
        odd = sum(byte < 9 or 13 < byte < 32 or byte > 126 for byte in sample)
        if odd * 4 > len(sample):
            raise Binary("the file is binary") from None
        return data.decode("latin-1")
