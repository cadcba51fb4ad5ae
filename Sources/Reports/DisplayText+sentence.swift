package import DNSSD

extension DisplayText {
    /// Cleans a reason or another sentence, which is shown whole: the limit only bounds what a stranger can print.
    package init(sentence: String) { self.init(sentence, limit: 1_024) }
}
