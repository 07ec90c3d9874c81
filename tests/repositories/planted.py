"""Secrets of the common providers as they stand in files; put together here, so that no scanner takes this file for a leak."""

from __future__ import annotations

import random
import string

LETTERS = string.ascii_letters + string.digits
BASE = LETTERS + "+/"
HEX = "0123456789abcdef"
CAPITALS = string.ascii_uppercase + string.digits


def made(name: str, length: int, alphabet: str = LETTERS) -> str:
    """Random characters, the same each time for a name, with a digit in them."""
    rng = random.Random(name)  # noqa: S311 - test data
    return "".join(rng.choices(alphabet, k=length - 2)) + "7a"


def _of_providers() -> dict[str, tuple[str, str]]:
    """(line with {} for the secret, the secret) by name."""
    key = "{}"
    private = "MII" + "EvQ" + "IBADANBgkqhkiG9w0BAQEFAASC"
    return {
        "aws id": (key, "AKIA" + made("aws", 16, CAPITALS).upper()),
        "aws secret": ("aws_secret_access_key = {}", made("aws2", 40, BASE)),
        "azure storage": (
            "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={};EndpointSuffix=core",
            made("azure", 86, BASE) + "==",
        ),
        "azure client": ("AZURE_CLIENT_SECRET={}", "abc8Q~" + made("azure2", 34)),
        "azure bus": ("SharedAccessKeyName=Root;SharedAccessKey={}", made("bus", 43) + "="),
        "azure sas": ("https://x.blob.core.windows.net/c?sv=2021-01-01&sig={}", made("sas", 43)),
        "gcp": (key, "AIza" + made("gcp", 35)),
        "github old": ("GITHUB_TOKEN={}", made("gh-old", 40, HEX)),
        "github": (key, "ghp" + "_" + made("gh", 36)),
        "github fine": (key, "github" + "_pat_" + made("fine", 22) + "_" + made("fine2", 59)),
        "gitlab": (key, "glpat" + "-" + made("gitlab", 20)),
        "slack": (key, "xoxb" + "-123456789012-" + made("slack", 24)),
        "slack hook": ("https://hooks.slack" + ".com/services/{}", "T0/B0/" + made("hook", 24)),
        "stripe": (key, "sk" + "_live_" + made("stripe", 24)),
        "stripe hook": (key, "whsec" + "_" + made("whsec", 32)),
        "twilio": ("auth_token = '{}'", made("twilio", 32, HEX)),
        "twilio key": ("twilio = '{}'", "SK" + made("twilio2", 32, HEX)),
        "sendgrid": (key, "SG" + "." + made("sg", 22) + "." + made("sg2", 43)),
        "openai": (key, "sk" + "-proj-" + made("openai", 60)),
        "anthropic": (key, "sk" + "-ant-api03-" + made("anthropic", 80)),
        "deepseek": (key, "sk" + "-" + made("deepseek", 32, HEX)),
        "alipay": ("alipay.private_key={}", private + made("alipay", 400, BASE)),
        "alipay java": ('String APP_PRIVATE_KEY = "{}";', private + made("alipay2", 800, BASE)),
        "wechat pay": ("wechat.pay.apiV3Key={}", made("wechat", 32)),
        "wechat merchant": ('"mch_key": "{}"', made("mch", 32)),
        "wechat app": ('"AppSecret": "{}"', made("app", 32, HEX)),
        "wechat aes": ("EncodingAESKey = '{}'", made("aes", 43)),
        "aliyun id": (key, "LTAI" + "5t" + made("aliyun", 18)),
        "aliyun secret": ("accessKeySecret: {}", made("aliyun2", 30)),
        "tencent id": (key, "AKID" + made("tencent", 32)),
        "tencent secret": ('secretKey = "{}"', made("tencent2", 32)),
    }


def _labelled() -> dict[str, tuple[str, str]]:
    """The same for what is told by its label or its place."""
    key = "{}"
    return {
        "jdbc": ("jdbc:mysql://db:3306/shop?user=root&password={}&useSSL=false", "Sh0p#2024xq"),
        "oracle": ("jdbc:oracle:thin:scott/{}@//db:1521/orcl", "T1gerT1ger99"),
        "sql server": ('"Server=db;User Id=sa;Password={};"', "Str0ng!Pass9w"),
        "redis": ("redis://:{}@cache:6379/0", "s3cretpassw0rd"),
        "postgres": ("postgres://shop:{}@db/shop", "pw1234567890x"),
        "jwt": (key, "eyJ" + made("jwt", 30) + ".eyJ" + made("jwt2", 60) + "." + made("jwt3", 43)),
        "dingtalk": ("https://oapi.dingtalk.com/robot/send?access_token={}", made("ding", 64, HEX)),
        "feishu": ("https://open.feishu.cn/open-apis/bot/v2/hook/{}", made("feishu", 36, HEX)),
        "chinese": ("数据库密码：{}", "Abc12345!xyzq"),
        "chinese remark": ("# 口令（内网）：{}", "Nw9x7721aabb"),
        "chinese account": ("用户名：admin，密码：{}", "Admin@2024xyz"),
        "traditional": ("登錄密碼：{}", "Qwe12345!rty"),
        "yaml": ("  password: {}", "Sh0pDb2024xyz"),
        "properties": ("spring.datasource.password={}", "Qw3rty99xasdf"),
        "env": ("export DB_PASSWORD={}", "R00tPass2024x"),
        "xml": ('<property name="password" value="{}"/>', "Xm1Pass2024xy"),
        "element": ("<password>{}</password>", "El3mPass2024x"),
        "java call": ('DriverManager.getConnection(url, "root", "{}");', "C4llPass2024x"),
        "php": ("define('DB_PASSWORD', '{}');", "PhpPass2024xy"),
        "curl": ("curl -u admin:{} https://x", "Curl2024passx"),
        "npm": ("//registry.example.com/:_authToken={}", made("npm", 36)),
        "bearer": ("Authorization: Bearer {}", made("bearer", 40)),
    }


SECRETS = {**_of_providers(), **_labelled()}
LINES = [line.replace("{}", secret) for line, secret in SECRETS.values()]
PRIVATE_KEY = made("rsa", 64, BASE)
BLOCK = "-----BEGIN RSA " + f"PRIVATE KEY-----\n{PRIVATE_KEY}\n" + "-----END RSA PRIVATE KEY-----"
EVERY = [*(secret for _, secret in SECRETS.values()), PRIVATE_KEY]
