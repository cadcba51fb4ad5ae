internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

extension CommandFailure {
    /// Makes a failure from the reason why a pairing has failed.
    ///
    /// - Parameters:
    ///   - error: The reason.
    ///   - offer: The gateway that was shown; `nil` if none was.
    init(_ error: PairingError, _ offer: PairingOffer? = nil) {
        switch error.code {
        case .notStored: self = error.storeError.map(CommandFailure.init) ?? CommandFailure(.unavailable, error.message)
        case .unknownNetwork: self.init(.unavailable, "not paired: \(error.message).")
        case .trustNotChosen: self.init(.usage, "not paired: \(error.message). Give --trust.")
        case .cancelled: self.init(.cancelled, "cancelled; nothing was paired.")
        case .unproved: self.init(.usage, "not paired: \(error.message). \(Self.proof(of: offer))")
        case .changedLeaf:
            self.init(
                .nothingFound,
                "not paired: \(error.message). \(error.conflict.map { Self.end($0, offer) } ?? "")"
            )
        default: self.init(.nothingFound, "not paired: \(error.message)")
        }
    }

    /// Returns the advice how a gateway can be proved.
    private static func proof(of offer: PairingOffer?) -> String {
        guard let leaf = offer?.leaf else {
            return
                "Without TLS nothing proves it: give a code together with its address, or leave out --yes and answer at a "
                + "terminal."
        }
        return "If its own host shows these digits, give them: --certificate \(leaf)"
    }

    /// Returns the advice how a conflict with a pairing ends.
    private static func end(_ conflict: PairingConflict, _ offer: PairingOffer?) -> String {
        let paired = conflict.pairing.label
        let forget = "clawradar forget \(conflict.pairing.shortID)"
        guard !conflict.isAnother else {
            return
                "Nothing was asked of it. It says that it is another gateway than \(paired): give the digits of its own host "
                + "with --certificate, or forget the paired one: \(forget)"
        }
        if conflict.isByOtherName, conflict.found != nil {
            return
                "Nothing was asked of it. Behind a front, it may be another gateway than \(paired): give the digits of its own "
                + "host with --certificate. If it is \(paired), pair it by the name, or the address, by which it was paired"
        }
        if case .certified(let host) = conflict.pairing.trust {
            return
                "Nothing was asked of it. \(paired) is known by its host name: pair with \(DisplayText(host, limit: 128)) "
                + "once it shows its certificate again, or forget it first: \(forget)"
        }
        guard let found = conflict.found else {
            return "Nothing was asked of it. \(paired) was paired with TLS, and gets nothing without; to pair without, "
                + "forget it first: \(forget)"
        }
        // Only where they are shown are the digits accepted: it may be elsewhere by now.
        let elsewhere = offer.map(\.endpoint).flatMap { conflict.pairing.endpoints.contains($0) ? nil : $0 }
        return "Nothing was asked of it. If the host of \(paired) shows the new digits: "
            + "clawradar trust \(conflict.pairing.shortID) --certificate \(found)"
            + (elsewhere.map { " --address \($0)" } ?? "")
    }
}
