internal import DNSSD
internal import Pairing

extension TrustChange {
    /// A description of the change for people, which continues after the name of the gateway.
    var text: String {
        let told = isRenewed ? fingerprint : nil
        let renewed = told.map { ". Its fingerprint is \(DisplayText("\($0)", limit: 64)) now" } ?? ""
        return (endpoint.map { " at \($0)" } ?? "") + ": " + TrustText.sentence(policy) + renewed
    }
}
