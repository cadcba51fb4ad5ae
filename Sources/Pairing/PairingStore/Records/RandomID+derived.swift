internal import Crypto

extension RandomID {
    /// Derives an identifier from texts: the same texts have the same identifier, so that what was imported once is
    /// recognized.
    package init(derivedFrom texts: [String]) {
        let digest = SHA256.hash(data: SealedPlace.joined(texts.map { Array($0.utf8) }))
        self.init(hexadecimal: Array(digest.prefix(16)))
    }
}
