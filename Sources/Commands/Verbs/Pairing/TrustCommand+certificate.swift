internal import Agent
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The consent to another certificate of a gateway.
extension TrustCommand {
    /// Returns what is trusted from now on, and the change to that, and to the fingerprint that the gateway tells with it.
    ///
    /// - Parameters:
    ///   - given: The digits that the user gave; without them, those that are shown now are shown, and asked about.
    func accept(
        _ given: LeafFingerprint?,
        of pairing: StoredPairing,
        _ radar: InProcessRadar
    ) async throws -> (NewTrust, TrustChange) {
        try check(pairing, given)
        if let given, pairing.trust == .pinned(given) { return (.leaf(given), TrustChange(policy: pairing.trust)) }
        let shown = try await radar.coordinator.certificates(of: pairing, at: place)
        let leaf = try given ?? self.new(shown)
        guard pairing.trust != .pinned(leaf) else {
            Notes.note("\(pairing.label) shows the certificate that is trusted, and nothing is to be changed.")
            return (.leaf(leaf), TrustChange(policy: pairing.trust))
        }
        let identity = shown.identity(with: leaf)
        if given == nil || identity == nil { try await ask(leaf, shown, isShown: identity != nil) }
        note(identity ?? .unknown)
        return (.leaf(leaf, at: place, unseen: identity == nil), shown.change(to: leaf, at: place))
    }

    /// Throws unless the gateway is one whose certificate the user decides about.
    private func check(_ pairing: StoredPairing, _ given: LeafFingerprint?) throws {
        try InProcessRadar.checkThatCertificateDecides(pairing)
        guard given == nil else { return }
        if pairing.trust.isPlain {
            let word = pairing.trust.acceptingWord
            let ways = word == "address" ? "--trust address or --trust lan" : "--trust \(word)"
            let message = "it was paired without TLS. Give \(ways); or --certificate, if it has TLS by now."
            throw CommandFailure(.usage, message)
        }
        guard TerminalDialogue.isPossible else {
            throw CommandFailure(.usage, "there is no terminal to ask on. Give --certificate with the 64 digits.")
        }
    }

    /// Returns the one certificate that is shown instead of the pinned one; the pinned one if there is no other.
    private func new(_ shown: ShownCertificates) throws(CommandFailure) -> LeafFingerprint {
        let new = shown.leaves.filter { shown.pairing.trust != .pinned($0) }
        guard let leaf = new.first ?? shown.leaves.first else {
            throw CommandFailure(
                .nothingFound,
                "\(shown.pairing.label) shows no certificate where it was. Give --certificate, and --address if it is elsewhere."
            )
        }
        guard new.count < 2 else {
            let list = new.map { "\n  sha256 \($0)" }.joined()
            throw CommandFailure(
                .usage,
                "several certificates are shown where it was. Choose with --certificate:\(list)"
            )
        }
        return leaf
    }

    /// Shows both certificates and asks; throws if the user does not agree.
    private func ask(_ leaf: LeafFingerprint, _ shown: ShownCertificates, isShown: Bool) async throws(CommandFailure) {
        guard isShown || TerminalDialogue.isPossible else {
            throw CommandFailure(
                shown.leaves.isEmpty ? .nothingFound : .usage,
                "\(shown.doubt(about: leaf)). Nothing was changed."
            )
        }
        Notes.write(CertificateText.lines(leaf, shown, isShown: isShown).map { $0 + "\n" }.joined())
        guard try await TerminalDialogue.confirm("Trust sha256 \(String("\(leaf)".prefix(8)))… from now on?") else {
            throw CommandFailure(.cancelled, "nothing was changed.")
        }
    }

    /// Says what is not known of the gateway with its new certificate, or is not taken over.
    private func note(_ identity: AcceptedIdentity) {
        switch identity {
        case .told, .untold: break
        case .unknown:
            Notes.note(
                "what it says of itself with this certificate is not known: if it tells another fingerprint, pair anew."
            )
        case .anotherPaired(let other):
            Notes.note(
                "where it was, \(other.label) answers with this certificate: it is that of a front, and the fingerprint "
                    + "stays as it was."
            )
        }
    }
}

/// The lines about two certificates of one gateway, for the person who compares them.
enum CertificateText {
    /// Returns the lines with the certificate that was trusted, the one that is asked about, and those that are shown
    /// instead of it. The digits are not cut.
    static func lines(_ leaf: LeafFingerprint, _ shown: ShownCertificates, isShown: Bool) -> [String] {
        let label = shown.pairing.label
        var lines = isShown ? ["\(label) shows another certificate:"] : ["\(label) does not show this certificate:"]
        if case .pinned(let before) = shown.pairing.trust { lines.append("  trusted  sha256 \(before)") }
        if isShown {
            let place = shown.place(of: leaf).map { " at \($0)" } ?? ""
            lines.append("  now      sha256 \(leaf)\(place)")
        } else {
            lines.append("  given    sha256 \(leaf)")
            for other in shown.leaves { lines.append("  shown    sha256 \(other)") }
            if shown.leaves.isEmpty { lines.append("  shown    none where it was") }
        }
        return lines + ["Only its own host can say which is right: compare all 64 digits with those that it shows."]
    }
}
