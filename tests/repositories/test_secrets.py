"""C8: secrets are masked before anything is indexed, shown or kept; ordinary code is left alone."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb_agent.repositories import evidence, mirror, search, secrets
from kb_agent.repositories.models import Term
from kb_agent.repositories.search import symbols
from tests.repositories.code import Code, indexed

FILLER = "abcdefghij0123456789ABCDEFGHIJ"


def made(prefix: str, length: int) -> str:
    """A key of the right form; put together here, so that no scanner takes this file for a leak."""
    rng = random.Random(prefix)  # noqa: S311 - test data
    return prefix + "".join(rng.choices(string.ascii_letters + string.digits, k=length))


KEYS = [
    made("ghp" + "_", 36),
    made("glpat" + "-", 20),
    "AKIA" + "ABCDEFGHIJ234567",
    "LTAI" + "5tAbCdEfGhIjKlMn",
    made("sk" + "-", 40),
    made("sk-" + "proj-", 40),
    made("sk_" + "live_", 24),
    made("xoxb" + "-", 30),
    made("AIza", 35),
    made("npm" + "_", 36),
    made("hf" + "_", 34),
]
SECRET_LINES = [
    'DB_PASSWORD = "hunter2!x9"',
    "password: q8Rt-77zz",
    'conn = connect("host", password="pa55-w0rd!")',
    '"client_secret": "9f86d081884c7d659a2feaa0"',
    "REDIS_URL=redis://:" + "s3cretpass@cache:6379/0",
    "postgres://shop:" + "pw12345@db/shop",
    "数据库密码是 Abc12345!",
    "# 管理员口令：qwe123456",
    "令牌=9f86d081884c7d659a2f",
    "Authorization: Bearer " + "abcDEF123456789xyz",
]
ORDINARY = [
    'password = request.POST.get("password")',
    "password = models.CharField(max_length=128)",
    "token = token2",
    "api_key=api_key,",
    'label = _("Password reset token")',
    '"password": "At least 8 characters"',
    'access_token_url = "https://api.example.com/oauth/token"',
    "error = 'password_too_short'",
    "secret_key: str = settings.SECRET_KEY",
    "if not self.token.is_valid():",
    "def test_password_reset(client): ...",
    "密码长度不能少于 8 位",
    '{"query": "重置密码 reset_password"}',
    '{"query": "忘记密码 email"}',
    "<label>密码</label><input>",
    "key = lambda item: item.order_number",
    "commit = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'",
    "from django.contrib.auth.password_validation import validate_password",
]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key[:6])
def test_C8_keys_of_the_common_providers_are_masked_wherever_they_stand(key: str) -> None:
    for line in (key, f"x = '{key}'", f"see {key}, please", f"url?k={key}&a=1"):
        assert key not in secrets.mask(line).text


@pytest.mark.parametrize("line", SECRET_LINES)
def test_C8_labelled_passwords_are_masked_in_both_languages(line: str) -> None:
    masked = secrets.mask(line)
    assert masked.count == 1
    assert secrets.MASK in masked.text


@pytest.mark.parametrize("line", ORDINARY)
def test_C8_ordinary_code_is_left_alone(line: str) -> None:
    assert secrets.mask(line) == secrets.Masked(line, 0)


def test_C8_a_private_key_is_masked_and_its_lines_stay() -> None:
    text = (
        "a\n-----BEGIN RSA "
        + "PRIVATE KEY-----\n"
        + f"{FILLER}\n{FILLER}\n"
        + "-----END RSA PRIVATE KEY-----\nb\n"
    )
    masked = secrets.mask(text)
    assert FILLER not in masked.text
    assert masked.text.count("\n") == text.count("\n")


@given(
    st.lists(
        st.sampled_from([*SECRET_LINES, *ORDINARY, "", "İstanbul = 1", "\x0c", "a\r"]), max_size=12
    )
)
def test_C8_the_number_of_lines_never_changes_and_masking_twice_is_masking_once(
    lines: list[str],
) -> None:
    text = "\n".join(lines)
    masked = secrets.mask(text).text
    assert masked.count("\n") == text.count("\n")
    assert secrets.mask(masked) == secrets.Masked(masked, 0)


@pytest.mark.django_db
def test_C8_a_secret_in_code_reaches_no_index_no_result_and_no_screen(code: Code) -> None:
    key = KEYS[0]
    commit = code.commit(
        {
            "pay.py": f'def pay(order):\n    api_token = "{key}"\n    return charge(order, api_token)\n'
        }
    )
    repository = indexed(code)
    assert not Term.objects.filter(term__icontains=key[8:16]).exists()
    hit = search.search("pay order", readable=[repository.pk]).hits[0]
    assert secrets.MASK in hit.excerpt
    assert key not in hit.excerpt
    (use,) = symbols.find("charge", [repository.pk]).uses
    assert key not in use.excerpt
    (row,) = evidence.mint(1, 1, [hit])
    assert key not in str(evidence.open(row))
    assert key.encode() in mirror.read(repository, commit, "pay.py")
    assert evidence.check(row)
