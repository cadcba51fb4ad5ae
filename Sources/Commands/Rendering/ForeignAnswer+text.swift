internal import DNSSD
internal import GatewayProtocol

extension ForeignAnswer {
    /// The first line of what it said, cleaned; `nil` when that says nothing.
    var firstLine: DisplayText? {
        let line = firstBytes.prefix { $0 >= 0x20 }
        return line.isEmpty ? nil : DisplayText(String(decoding: line, as: UTF8.self), limit: Self.maximumBytes)
    }
}
