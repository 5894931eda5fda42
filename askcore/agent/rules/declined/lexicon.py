"""The words of what is declined: writes, personal data, forecasts, chat, conditions, exclusions."""

from __future__ import annotations

Words = tuple[str, ...]

WRITES: Words = ("改成", "改为", "修改", "更改", "更正", "删除", "删掉", "删了", "清空", "清零", "归零", "插入", "写入", "录入", "新增",
                 "添加", "设为", "设成", "设置", "更新为", "更新成", "更新", "覆盖掉", "补录", "调成", "调整为", "抹掉",
                 "撤销", "回滚", "导入", "上传")  # fmt: skip
WRITE_VERBS: Words = ("delete", "remove", "drop", "insert", "update", "modify", "overwrite",
                      "truncate", "edit", "set", "write", "alter", "erase", "correct", "fix",
                      "add", "change", "replace", "wipe", "purge", "rename")  # fmt: skip
WRITE_OBJECTS: Words = ("table", "tables", "rows", "row", "record", "records", "database", "data",
                        "column", "value", "values", "entry", "entries")  # fmt: skip
PERSONAL: Words = ("手机号码", "手机号", "手机", "电话号码", "电话", "联系方式", "姓名", "名字", "身份证", "住址", "地址",
                   "邮箱", "微信号", "微信", "客户名单", "顾客名单", "会员名单", "名单", "银行卡", "个人信息", "隐私", "生日",
                   "phone numbers", "phone number", "phone", "phones", "email", "emails",
                   "e-mail", "addresses", "address", "customer names", "customers names",
                   "names of customers", "customer name", "id card", "id cards", "passport",
                   "personal data", "personal information", "contact details", "contacts",
                   "credit card", "birthday", "birthdays", "home address", "who ordered",
                   "salary", "salaries", "工资", "薪资")  # fmt: skip
FORECAST: Words = ("预测", "预计", "预估", "预判", "展望", "推算", "将会", "会不会", "能否达到", "会是多少", "会有多少",
                   "会达到", "会涨", "会跌", "forecast", "forecasts", "forecasting", "predict",
                   "prediction", "predicted", "projection", "project", "projected", "will",
                   "going to", "expected", "expect", "outlook", "extrapolate")  # fmt: skip
CHAT: Words = ("天气", "笑话", "你好", "您好", "嗨", "哈喽", "谢谢", "多谢", "再见", "写代码", "写一首", "诗", "翻译", "股票",
               "股价", "新闻", "电影", "你是谁", "你叫什么", "你能做什么", "你会什么", "帮助", "聊天", "讲个", "唱歌", "菜谱",
               "彩票", "比赛", "weather", "joke", "jokes", "hello", "hi", "hey", "thanks",
               "thank you", "who are you", "what can you do", "help", "poem", "translate",
               "python", "code", "javascript", "news", "movie", "recipe", "stock price",
               "stock prices", "good morning", "good evening", "bye", "president",
               "capital of", "football", "song", "story", "essay")  # fmt: skip
INJECTION: Words = ("忽略之前", "忽略以上", "忽略上述", "忽略前面", "忽略所有", "忽略你", "系统提示", "提示词", "假装你",
                    "你现在是", "扮演", "越狱", "ignore previous", "ignore all", "ignore the",
                    "ignore your", "ignore any", "ignore above", "disregard", "system prompt",
                    "jailbreak", "pretend", "you are now", "act as", "roleplay", "prompt",
                    "instructions", "developer mode", "override")  # fmt: skip
EXCLUDING: Words = ("不包括", "不包含", "不含", "不算", "不计", "除了", "除去", "除开", "排除", "剔除", "去掉", "刨除",
                    "扣除", "以外", "之外", "除外", "excluding", "exclude", "excludes", "except for",
                    "except", "without", "other than", "not including", "but not", "minus",
                    "apart from", "aside from", "leaving out", "ignoring", "omit")  # fmt: skip
CONDITIONS: Words = ("高于", "低于", "大于", "小于", "超过", "多于", "少于", "不足", "达到", "不到", "以上", "以下", "至少",
                     "至多", "不超过", "不低于", "大于等于", "小于等于", "满足", "当中", "如果", "假如", "要是", ">=",
                     "<=", ">", "<", "greater than", "less than", "more than", "fewer than",
                     "higher than", "lower than", "above", "below", "under", "at least",
                     "at most", "exceed", "exceeds", "exceeding", "exceeded", "where", "whose",
                     "if", "when", "having", "reached", "up to")  # fmt: skip
NEGATIONS: Words = (
    "没有",
    "不是",
    "并非",
    "未",
    "非",
    "无",
    "not",
    "no",
    "isn't",
    "never",
    "non",
    "isn",
    "doesn",
)

DAY_OVER_DAY: Words = (
    "日环比",
    "天环比",
    "日日环比",
    "day over day",
    "day-over-day",
    "dod",
    "daily change in",
)
RECORDS: Words = ("历史最高", "历史最低", "历史最好", "历史最差", "历史新高", "历史新低", "史上最", "all-time high", "all time high",
                  "all-time low", "all time low", "record high", "record low", "best ever", "highest ever", "lowest ever",
                  "worst ever")  # fmt: skip
HOW_MANY: Words = ("几家", "多少家", "几个门店", "几个店", "多少个门店", "多少个店", "几个品牌", "有几个", "how many", "number of shops",
                   "number of stores", "count of shops", "count of stores")  # fmt: skip
SEVERAL_OF: Words = (
    "两",
    "2",
    "二",
    "三",
    "3",
    "几",
    "多",
    "全部",
    "所有",
    "both",
    "two",
    "three",
    "all",
    "several",
)
TOTAL_OF: Words = ("总", "总的", "合计", "total", "sum of", "sum of all", "total of", "overall sum of")
IN_TOTAL: Words = ("合计", "之和", "总和", "总计", "总额", "总量", "in total", "added up")
TOGETHER: Words = (*IN_TOTAL, "一共", "总共", "共计", "加起来", "加在一起", "加总", "相加", "combined", "together", "altogether",
                   "summed up", "taken together")  # fmt: skip
USUALLY: Words = (
    "通常",
    "一般",
    "平时",
    "往常",
    "usually",
    "typically",
    "generally",
    "normally",
    "on average",
    "always",
)
COUNTED_HEADS: Words = ("top", "bottom", "first", "last", "前", "后")
COUNT_OF: Words = ("店数", "门店数", "多少家", "几家店", "几家门店", "多少个店", "多少个门店", "how many shops", "how many stores",
                   "number of shops", "number of stores")  # fmt: skip
