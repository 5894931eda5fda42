"""Words in the name of a source field that may hold personal data."""

from __future__ import annotations

PERSONAL = (
    "phone", "mobile", "telephone", "email", "e_mail", "idcard", "id_card", "passport", "address", "wechat",
    "openid", "unionid", "nickname", "contact", "customer_name", "user_name", "username", "real_name",
    "receiver", "buyer_name", "birthday", "plate", "bank_card",
    "手机", "电话", "邮箱", "身份证", "地址", "姓名", "微信", "昵称", "联系人", "收货人", "收件人", "生日", "车牌", "银行卡",
)  # fmt: skip
