"""The forms secrets have: keys by their prefix, values by what stands before them."""

from __future__ import annotations

import re

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
    r"key-[a-f0-9]{32}",
    r"(?:SK|SEC)[a-f0-9]{32,64}",
    # Keys of Alipay, WeChat Pay and UnionPay stand in settings without their first and last line.
    r"MII[A-Za-z0-9+/]{1,3}IBA(?:DANBgkqhkiG9w0BAQEFAASC|AKC)[A-Za-z0-9+/=]{60,}",
    r"eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
)
# What stands before a secret's value. Chinese labels are as common in our staff's files as English ones.
LABEL = (
    r"(?:passwd|password|passphrase|pwd|secret|secret[_-]?key|api[_-]?key|apikey|access[_-]?key(?:[_-]?secret)?"
    r"|private[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token|bearer[_-]?token|client[_-]?secret|app[_-]?secret"
    r"|encryption[_-]?key|signing[_-]?key|credentials?|token|api_?v3_?key|mch_?key|(?:encoding)?aes_?key|(?<=[_.-])pass"
    r"|(?<=[a-z]_)[sa]k(?=\s*=))"
)
CHINESE_LABEL = r"(?:登录|数据库|管理员|初始|默认|用户)?(?:密码|口令|密钥|秘钥|令牌|私钥|授权码|訪問金鑰|密碼|金鑰)(?:[(\uff08][^()\uff08\uff09]{1,12}[)\uff09])?(?:是|为|為)?"

PREFIX_RULE = re.compile(rf"(?<![A-Za-z0-9_-])(?P<value>{'|'.join(PREFIXED)})(?![A-Za-z0-9])")
URL_RULE = re.compile(
    r"(?P<head>[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\"<>{}$%]*:)(?P<value>[^\s/@'\"<>]{3,200})(?=@[\w.\[-])"
)
QUOTED_RULE = re.compile(
    rf"(?P<head>(?i:{LABEL})[\"']?\]?\s*(?::\s*[\w.\[\]| ]+=|:=|=>|=|:|,)\s*[rbf]?(?P<quote>[\"']))"
    r"(?P<value>[^\"'\s]{6,200})(?P=quote)"
)
BARE_RULE = re.compile(
    rf"(?P<head>(?:^|[\s\"'=:])(?i:[\w.-]{{0,60}}{LABEL})\s*[:=]\s*)(?P<value>[^\s\"'#;,(){{}}\[\]<>$]{{6,200}})\s*(?:[#\"'*<].*)?$"
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
# Settings of a connection, parameters of an address: `…;Password=…;`, `?sig=…`, `&access_token=…`.
PARAMETER_RULE = re.compile(
    r"(?P<head>(?i:[?&;]\s*(?:password|passwd|pwd|sig|access_token|api_?key|secret|token|AccountKey|SharedAccessKey)=))"
    r"(?P<value>[^&;\s\"'<>{}$,()|]{6,400})"
)
ELEMENT_RULE = re.compile(
    rf"(?P<head>(?<!\?P)(?i:<[\w:.-]*{LABEL}>)\s*)(?P<value>[^\"'<>\s]{{6,200}})(?=\s*</)"
)
NAMED_RULE = re.compile(
    rf"(?P<head>\b(?i:(?:name|key|id)=[\"'][\w.-]*{LABEL}[\"']\s*(?:value=[\"']|>))\s*)"
    r"(?P<value>[^\"'<>\s]{6,200})(?=\s*(?:</|[\"']))"
)
CALL_RULE = re.compile(
    r"(?P<head>(?i:(?:getConnection\([^()]*,\s*[\"'][^\"']*[\"']\s*,|(?:set_?password|set_?secret|basic_?auth|credentials?)\((?:\s*[\"'][^\"']*[\"']\s*,)?)\s*)[\"'])"
    r"(?P<value>[^\"'\s]{6,200})(?=[\"'])"
)
# What is typed: curl's and mysql's options, .netrc, .npmrc, Docker's settings, Oracle's addresses.
TYPED_RULE = re.compile(
    r"(?P<head>(?i:\bcurl\b[^\n]*?\s(?:-u|--user)\s+[\"']?[^\s:\"']+:|\bmysql\w*\s[^\n]*?-p|\blogin\s+\S+\s+password\s+"
    r"|:_(?:authToken|password|auth)=|[\"']auth[\"']\s*:\s*[\"'](?=[\w+/=]{20})|jdbc:oracle:thin:[^/\s\"']+/))"
    r"(?P<value>[^\s\"'@]{6,300})"
)
HOOK_RULE = re.compile(
    r"(?P<head>hooks\.slack\.com/(?:services|workflows)/|open-apis/bot/v2/hook/|webhook/send\?key=)(?P<value>[\w/-]{16,})"
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
    *(
        "授权码",
        "ibadanbgkqhkig",
        "ibaakc",
        "key-",
        "v3key",
        "v3_key",
        "mchkey",
        "mch_key",
        "aeskey",
        "aes_key",
    ),
    *(
        "_pass",
        ".pass",
        "-pass",
        "_sk",
        "_ak",
        "sig=",
        "accountkey",
        "sharedaccesskey",
        "getconnection(",
    ),
    *("basicauth", "basic_auth", "curl", "mysql", "_auth", "jdbc:oracle:thin:", 'auth"', "auth'"),
    *("hooks.slack.com", "bot/v2/hook/", "webhook/send?key="),
    *("shpss", "dapi", "glsa_", "hvs.", "age-secret", "eyj"),
)
# Keys told by capitals alone; a pattern each, because one that begins with fixed letters is found fast.
SIGNED = (re.compile("SK[a-f0-9]{32}"), re.compile("SEC[a-f0-9]{32}"))
AT_SIGN = re.compile(r":[^\s/]{3,200}@")
