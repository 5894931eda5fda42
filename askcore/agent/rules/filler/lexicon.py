"""The words that carry no meaning for a plan, and the characters of the traditional script."""

from __future__ import annotations

from collections.abc import Mapping

Words = tuple[str, ...]

STOPS: Words = (
    "我有个问题", "有个问题", "有一个问题", "问个问题", "问一个问题", "请教个问题", "请教一个问题", "有几个问题",
    "明显", "最近一次", "上一次", "当天", "那天", "这天", "拆开", "拆一下", "拆", "分开看", "分开", "就行", "即可", "就好", "就可以", "旗下", "下属", "名下", "下辖", "日子", "请问一下", "请问", "麻烦", "请", "帮我", "帮忙", "给我", "我想知道", "我想看", "我想要", "我想", "想知道", "想看", "想要",
    "我要", "我们的", "我们", "咱们", "咱", "我", "你", "您", "看一下", "看看", "看下", "看一看", "看", "查一下", "查查",
    "查询", "查下", "查", "告诉", "显示", "展示", "列出", "列一下", "列", "给出", "给", "统计一下", "统计", "计算一下",
    "计算", "算一下", "算下", "算", "汇报", "分析一下", "分析", "了解一下", "了解", "知道", "说说", "说一下", "讲讲", "生成",
    "出一份", "出个", "做个", "做一份", "来一份", "来个", "一份", "一下", "一个", "一张", "一共", "是多少", "有多少", "多少钱",
    "多少", "几个", "几家", "多大", "多高", "多少个", "多少元", "是不是", "是否", "有没有", "能不能", "可不可以",
    "可以", "能", "会", "要", "是", "有", "为", "的", "了", "吗", "呢", "吧", "啊", "呀", "么", "嘛", "哈", "哦", "嗯", "着", "过",
    "在", "多少万", "万元", "卖了", "卖出", "卖", "总额", "里面", "里", "中", "内", "之", "其中", "其", "就", "都", "也", "还", "又", "把", "被", "将", "让", "对", "对于",
    "关于", "针对", "根据", "以", "从", "到", "至", "于", "由", "跟", "和", "与", "及", "或者", "或", "、", "这", "那", "该", "此",
    "什么", "怎么", "哪", "几", "情况", "数据", "数值", "数字", "数", "值", "金额", "具体", "大概", "大约", "约", "左右", "目前",
    "整个", "期间", "之间", "时间", "时候", "全年", "全月", "结果", "明细", "详情", "详细", "表格", "表", "清单", "列表", "分别",
    "家", "个", "名", "位", "间", "元", "块钱", "块", "块钱吗", "单", "人", "次", "笔", "份", "指标", "维度", "方面", "水平",
    "得", "地", "所", "来", "去", "做", "用", "再", "先", "然后", "直接", "帮", "麻烦你", "谢谢", "好", "呗", "很", "比较多",
    "两个", "两者", "两家", "二者", "之比", "的话", "起来", "出来", "总共", "个店", "当前", "可", "能看", "每", "各",
    "进行", "需要", "希望", "主要", "实际", "真实", "一般", "通常", "到底", "究竟", "已经", "现有", "相关",
    "排列", "排", "行", "按", "时", "期", "大家", "总体上", "基本上", "编号", "成绩", "跟踪",
    "so far", "break it down", "break that down", "break this down", "split it", "split that",
    "a", "an", "the", "of", "for", "in", "on", "at", "to", "from", "with", "by", "as", "is", "are",
    "was", "were", "be", "been", "do", "does", "did", "has", "have", "had", "can", "could", "would",
    "should", "shall", "please", "pls", "kindly", "me", "my", "our", "ours", "us", "we", "i", "you",
    "your", "show", "shows", "tell", "give", "list", "get", "find", "display", "fetch", "return",
    "provide", "see", "view", "know", "want", "need", "like", "let", "look", "looking", "check",
    "what", "what's", "whats", "how", "much", "many", "how much", "how many", "there", "here",
    "their", "its", "it", "s", "t", "d", "m", "ll", "re", "ve", "and", "or", "so", "then", "about",
    "some", "any", "each", "figure", "figures", "number", "numbers", "data", "value", "values",
    "amount", "result", "results", "table", "as a table", "in a table", "chart", "during", "over",
    "within", "period", "time", "please show", "also", "just", "exactly", "actually", "approximately",
    "roughly", "around", "whole", "entire", "full", "between", "report", "us", "this", "that",
    "these", "those", "did we", "make", "made", "generate", "generated", "create", "earn", "earned",
    "sell", "sold", "achieve", "achieved", "reach", "across", "all", "single", "individual", "own",
    "such", "quickly", "quick", "breakdown", "detail", "details", "compute", "calculate", "out",
    "per", "when", "which", "who", "where", "wise", "level", "levels", "basis", "terms", "come",
    "came", "run", "look like", "looks", "seen", "happen", "happened", "info", "information",
    "statistics", "stats", "metric", "metrics", "measure", "overall", "rows", "row", "sum", "up",
    "worth", "using", "based", "hello", "hi", "hey", "ok", "okay", "well", "if", "use", "day's",
    "same", "one", "ones", "both", "going", "been", "being",
)  # fmt: skip

TRADITIONAL: Mapping[str, str] = {
    "營": "营", "業": "业", "額": "额", "單": "单", "價": "价", "進": "进", "週": "周", "訂": "订",
    "實": "实", "會": "会", "員": "员", "應": "应", "與": "与", "從": "从", "對": "对", "數": "数",
    "據": "据", "計": "计", "點": "点", "評": "评", "總": "总", "統": "统", "較": "较", "為": "为",
    "說": "说", "誰": "谁", "費": "费", "優": "优", "減": "减", "達": "达", "給": "给", "當": "当",
    "間": "间", "關": "关", "開": "开", "個": "个", "們": "们", "來": "来", "號": "号", "過": "过",
    "還": "还", "這": "这", "樣": "样", "問": "问", "題": "题", "時": "时", "長": "长", "歷": "历",
    "廳": "厅", "館": "馆", "麵": "面", "區": "区", "東": "东", "門": "门", "漲": "涨", "變": "变",
}  # fmt: skip
