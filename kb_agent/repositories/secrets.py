"""Masks keys, tokens and passwords in text, keeping every line where it is (C8)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import log2

MASK = "•••"

# Prefixes that providers give their keys. Each body is long enough not to meet ordinary code.
PREFIXED = (
    r"gh[pousr]_[A-Za-z0-9]{30,}",
    r"github_pat_[A-Za-z0-9_]{40,}",
    r"gl(?:pat|ptt|dt|rt|soat|cbt)-[A-Za-z0-9_-]{20,}",
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    r"LTAI[A-Za-z0-9]{12,26}",
    r"AKID[A-Za-z0-9]{28,36}",
    r"AIza[A-Za-z0-9_-]{35}",
    r"ya29\.[A-Za-z0-9_-]{30,}",
    r"GOCSPX-[A-Za-z0-9_-]{20,}",
    r"sk-(?:proj|ant|svcacct|or|admin)-[A-Za-z0-9_-]{16,}",
    r"sk-[A-Za-z0-9]{32,}",
    r"(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{16,}",
    r"whsec_[A-Za-z0-9+/=]{24,}",
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"xapp-\d-[A-Za-z0-9-]{20,}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-[A-Za-z0-9_-]{50,}",
    r"dop_v1_[a-f0-9]{64}",
    r"hf_[A-Za-z0-9]{30,}",
    r"gsk_[A-Za-z0-9]{40,}",
    r"xai-[A-Za-z0-9]{40,}",
    r"nvapi-[A-Za-z0-9_-]{40,}",
    r"tvly-[A-Za-z0-9-]{24,}",
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",
    r"dapi[a-f0-9]{32}",
    r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}",
    r"hvs\.[A-Za-z0-9_-]{24,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
    r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
)
# What stands before a secret's value. Chinese labels are as common in our staff's files as English ones.
LABEL = (
    r"(?:passwd|password|passphrase|pwd|secret|secret[_-]?key|api[_-]?key|apikey|access[_-]?key(?:[_-]?secret)?"
    r"|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer[_-]?token|client[_-]?secret|app[_-]?secret"
    r"|encryption[_-]?key|signing[_-]?key|credentials?|token)"
)
CHINESE_LABEL = r"(?:登录|数据库|管理员|初始|默认|用户)?(?:密码|口令|密钥|秘钥|令牌|私钥|訪問金鑰|密碼|金鑰)(?:是|为|為)?"

PREFIX_RULE = re.compile(rf"(?<![A-Za-z0-9_-])(?P<value>{'|'.join(PREFIXED)})(?![A-Za-z0-9])")
URL_RULE = re.compile(
    r"(?P<head>[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\"<>{}$%]*:)(?P<value>[^\s/@'\"<>]{3,200})(?=@[\w.\[-])"
)
QUOTED_RULE = re.compile(
    rf"(?P<head>(?i:{LABEL})[\"']?\]?\s*(?::\s*[\w.\[\]| ]+=|:=|=>|=|:|,)\s*[rbf]?(?P<quote>[\"']))"
    r"(?P<value>[^\"'\s]{6,200})(?P=quote)"
)
BARE_RULE = re.compile(
    rf"(?P<head>^\s*(?:export\s+|-\s+|ENV\s+|set\s+)?(?i:[\w.-]{{0,60}}{LABEL})\s*[:=]\s*)(?P<value>[^\s\"'#;,(){{}}\[\]<>$]{{6,200}})\s*(?:#.*)?$"
)
CHINESE_RULE = re.compile(
    rf"(?P<head>{CHINESE_LABEL}[\"'”’]?\s*[:：=\uff1d]?\s*[\"'“‘`]?)(?P<value>[!#-&*+./0-;=?-Z^_a-z|~-]{{6,200}})"
)
HEADER_RULE = re.compile(
    r"(?P<head>(?i:\bauthorization[\"']?\s*[:=,]\s*[\"']?(?:bearer|basic|token)\s+))(?P<value>[A-Za-z0-9+/=._~-]{12,})"
)
PRIVATE_KEY_RULE = re.compile(
    r"(?P<head>-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)(?P<value>(?:[^-]|-(?!----)){20,20000}?)"
    r"(?=-----END (?:[A-Z0-9]+ )*PRIVATE KEY)"
)
# The rules above cost time; only lines with one of these are put to them (finding fixed words is near free).
HINTS = (
    *("passw", "passphrase", "pwd", "secret", "token", "credential", "authorization"),
    *(
        "api_key",
        "apikey",
        "api-key",
        "access_key",
        "accesskey",
        "access-key",
        "private_key",
        "privatekey",
        "private-key",
    ),
    *(
        "encryption_key",
        "encryption-key",
        "signing_key",
        "signing-key",
        "密码",
        "口令",
        "密钥",
        "秘钥",
        "令牌",
        "私钥",
        "金鑰",
        "密碼",
    ),
    *(
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "github_pat_",
        "glpat-",
        "glptt-",
        "gldt-",
        "glrt-",
        "glsoat-",
        "glcbt-",
    ),
    *(
        "akia",
        "asia",
        "abia",
        "acca",
        "ltai",
        "akid",
        "aiza",
        "ya29.",
        "gocspx-",
        "sk-",
        "sk_",
        "rk_",
        "pk_",
        "whsec_",
    ),
    *(
        "xox",
        "xapp-",
        "sg.",
        "npm_",
        "pypi-",
        "dop_v1",
        "hf_",
        "gsk_",
        "xai-",
        "nvapi-",
        "tvly-",
        "shpat",
        "shpca",
        "shppa",
    ),
    *("shpss", "dapi", "glsa_", "hvs.", "age-secret", "eyj"),
)
AT_SIGN = re.compile(r":[^\s/]{3,200}@")
PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|•+|\.+|-+|<.*>|\$.*|%.*|\{.*|.*\{\{.*|your|change|example|placeholder|secret|password|passwd|none|null|true|false"
    r"|test|dummy|sample|required|optional|undefined)$|changeme|change_me|your[_-]|placeholder|example"
)
CODE = re.compile(
    r"^[\w.]+\(|\)$|^(?:self|this|os|settings|config|env|request|process)\.|[/\\].*\.\w{1,5}$|^/|://|^\w+\.\w+\.\w+$|^_\(|^--|^\.|\.\.|__"
)
IDENTIFIER = re.compile(r"^[A-Za-z_][\w.]*$")
WORDS = re.compile(r"^[A-Za-z]+(?:[ _.:/-][A-Za-z]+)*$")


@dataclass(frozen=True)
class Masked:
    """Text safe to keep, and how many secrets were taken out of it."""

    text: str
    count: int


def mask(text: str) -> Masked:
    """`text` with secrets replaced by `•••`; the number of lines is unchanged."""
    text, count = _replace(PRIVATE_KEY_RULE, _always, text) if "PRIVATE KEY" in text else (text, 0)
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters grow when lowered, and places would shift
        lowered = text
    starts = {lowered.rfind("\n", 0, place) + 1 for place in _hints(lowered)}
    pieces: list[str] = []
    end = 0
    for start in sorted(starts):
        stop = text.find("\n", start)
        line, found = _mask_line(text[start:] if stop < 0 else text[start:stop])
        pieces += [text[end:start], line]
        end = len(text) if stop < 0 else stop
        count += found
    return Masked("".join([*pieces, text[end:]]), count)


def _hints(lowered: str) -> Iterator[int]:
    for hint in HINTS:
        place = lowered.find(hint)
        while place >= 0:
            yield place
            stop = lowered.find("\n", place)
            place = lowered.find(hint, stop) if stop >= 0 else -1
    if "://" in lowered:
        yield from (match.start() for match in AT_SIGN.finditer(lowered))


def _mask_line(line: str) -> tuple[str, int]:
    count = 0
    for rule, is_secret in RULES:
        line, found = _replace(rule, is_secret, line)
        count += found
    return line, count


def _replace(rule: re.Pattern[str], is_secret: Callable[[str], bool], text: str) -> tuple[str, int]:
    pieces: list[str] = []
    end = 0
    for match in rule.finditer(text):
        value = match["value"]
        if MASK in value or not is_secret(value):
            continue
        start = match.start("value")
        pieces += [text[end:start], MASK, "\n" * value.count("\n")]
        end = match.end("value")
    return "".join([*pieces, text[end:]]), len(pieces) // 3


def _always(value: str) -> bool:
    return bool(value)


def _quoted(value: str) -> bool:
    """Whether a labelled text is a secret rather than a name, a message or a placeholder."""
    if PLACEHOLDER.search(value) or CODE.search(value):
        return False
    if WORDS.match(value):
        return len(value) >= 20 and _kinds(value) >= 2 and _entropy(value) > 4.2
    return _kinds(value) >= 2 and _entropy(value) >= 2.2


def _bare(value: str) -> bool:
    """The same for a value without quotes, where most things are names of variables and types."""
    if IDENTIFIER.match(value):
        mixed = bool(re.search(r"[0-9].*[a-zA-Z].*[0-9]|[a-z][0-9]+[a-z]", value))
        return mixed and "." not in value and _quoted(value)
    return bool(re.search(r"[0-9]", value)) and _quoted(value)


def _kinds(value: str) -> int:
    return sum(bool(re.search(kind, value)) for kind in ("[a-z]", "[A-Z]", "[0-9]", "[^A-Za-z0-9]"))


def _entropy(value: str) -> float:
    """Shannon entropy a character, in bits."""
    total = len(value)
    return -sum(n / total * log2(n / total) for n in Counter(value).values())


RULES: tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...] = (
    (PREFIX_RULE, _always),
    (URL_RULE, _always),
    (HEADER_RULE, _quoted),
    (QUOTED_RULE, _quoted),
    (BARE_RULE, _bare),
    (CHINESE_RULE, _quoted),
)
