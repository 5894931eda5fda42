"""Words of questions about causes, peers and what stands out."""

from __future__ import annotations

Words = tuple[str, ...]

PULLS_DOWN: Words = ("拖累", "拉低", "dragged", "dragging", "drag", "dragged down", "pulled down", "held back",
                     "weighed on")  # fmt: skip
PULLS_UP: Words = ("拉动", "带动", "拉高", "推高", "lifted", "boosted")
WHY: Words = ("为什么", "为何", "为啥", "原因", "怎么回事", "什么导致", "导致", "归因", "拆解", "拆分", "拆成", "驱动", "因素",
              "造成", "怎么会", "why", "reason for", "reason", "reasons", "cause", "caused", "causes",
              "root cause", "driver", "drivers", "driving", "drove", "attribution", "attribute",
              "decompose", "break the", "explain the", "explain why", "explain", "break down the",
              "effects", "effect", "due to", "behind", "what happened",
              "主要靠", "pulled", *PULLS_DOWN, *PULLS_UP)  # fmt: skip
CONTRIBUTION: Words = ("contribution to", "contribution of", "contributions to", "contributions of")
CONTRIBUTES: Words = (*CONTRIBUTION, "贡献度", "贡献率", "贡献占比", "贡献", "contributed to", "contributed", "contributes to",
                      "contributes", "contribute to", "contribute")  # fmt: skip
DONE: Words = ("了",)
AUXILIARIES: Words = ("did", "has", "have", "does")
EXPLAIN: Words = ("explain the", "explain")  # of a measure alone: what it means
WHY_WORDS: Words = ("还是", "但是", "但", "却", "没涨", "没跌", "没有涨", "没", "into", "or", "but", "while", "not",
                    "didn", "did", "although")  # fmt: skip
PEER: Words = ("同行", "同业", "商圈", "竞对", "竞品", "竞争对手", "行业", "掉队", "同行均值", "peers", "peer",
               "competitors", "competitor", "competition", "benchmark", "benchmarks",
               "industry", "the market")  # fmt: skip
ANOMALY: Words = ("异常", "反常", "异动", "突增", "突降", "离群", "不正常", "拐点", "anomalies", "anomaly",
                  "anomalous", "outliers", "outlier", "unusual", "unusually", "spikes", "spike", "abnormal",
                  "stood out", "stand out", "stands out", "standing out", "out of the ordinary", "irregular",
                  "change point", "change points", "strange", "最反常", "最异常", "odd", "oddest")  # fmt: skip

# what the factors of a product chain stand for
TRAFFIC: Words = ("流量", "曝光", "客流", "人流", "traffic", "footfall")
CONVERSION: Words = ("转化", "conversion")
FACTOR_WORDS: Words = ("结构", "量", "mix", "volume", "volumes")
PRICE: Words = ("价格", "量价", "单价", "basket", "price", "ticket size")
SHARPLY: Words = ("厉害", "大跌", "暴跌", "骤降", "骤跌", "猛跌", "锐减", "大涨", "暴涨", "飙升", "sharply", "plunge",
                  "plunged", "plummet", "plummeted", "tanked", "collapse", "collapsed", "soar", "soared",
                  "nosedive", "crashed")  # fmt: skip
BEHIND: Words = ("掉队", "落后", "跑输", "不如", "弱于", "拖后腿", "behind", "lag", "lags", "lagging", "trail",
                 "trails", "trailing", "underperform", "underperforms", "underperforming", "worse than")  # fmt: skip
AHEAD: Words = ("领先", "跑赢", "优于", "强于", "好于", "ahead", "lead", "leads", "leading", "outperform",
                "outperforms", "outperforming", "beat", "beats", "beating", "better than")  # fmt: skip
LOWER: Words = ("低于", "不到", "lower than", "below")
HIGHER: Words = ("高于", "超过", "higher than", "above")
GAINED: Words = ("进步", "前进", "爬升", "climbed", "gained", "moved up", "improved", "improvement")
LOST: Words = ("退步", "退后", "倒退", "掉名次", "slipped", "lost", "moved down", "dropped places")
PEER_WORDS: Words = ("名次", "位次", "均值", "平均", "水平", "大盘", "places", "place", "position", "positions",
                     "their", "average", "group", "means")  # fmt: skip
SINCE_WHEN: Words = ("从什么时候", "什么时候开始", "什么时候起", "从哪天", "哪天开始", "哪天起", "从哪一天", "何时开始",
                     "拐点", "突变点", "转折点", "since when", "from when", "change point", "change points",
                     "turning point", "turning points", "level shift", "level shifts")  # fmt: skip
WHEN_DID: Words = ("when did",)
BEGAN: Words = ("start to", "starts to", "began to", "begin to", "started to", "start", "begin", "began", "started",
                "开始")  # fmt: skip
RAW: Words = ("原始", "原始数据", "原始记录", "原始值", "原始行", "原始字段", "源端数据", "源端记录", "源端", "源数据", "源值", "raw data",
              "raw row", "raw rows", "raw record", "raw records", "raw value", "raw values", "raw fields",
              "source row", "source record", "source value", "source values", "source data",
              "as delivered")  # fmt: skip
