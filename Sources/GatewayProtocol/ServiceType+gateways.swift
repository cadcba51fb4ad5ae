public import DNSSD

extension ServiceType {
    /// `_openclaw._tcp`: the type of this project's contract. Other programs use it too: ask before you believe.
    public static let openClaw = ServiceType(checkedName: "openclaw", transport: .tcp)
}
