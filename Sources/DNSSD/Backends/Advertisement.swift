/// A service to publish: one name and port, under one or several service types, with one TXT record.
package struct Advertisement: Hashable, Sendable {
    /// The wanted instance name. After a conflict the service may be published under another; see ``PublicationState``.
    package var name: String

    /// The types, each with the subtypes under which the service can be found as well (RFC 6763 §7.1).
    package var types: [ServiceType]

    /// The port, 1–65535.
    package var port: UInt16

    /// The TXT record, the same for every type.
    package var txt: TXTRecord

    /// The names of the interfaces to publish on; empty means all.
    package var interfaces: Set<String>

    /// Creates an advertisement; by default with an empty TXT record, on all interfaces. Nothing is checked here: the
    /// `Advertiser` refuses an advertisement that cannot be published.
    package init(
        name: String,
        types: [ServiceType],
        port: UInt16,
        txt: TXTRecord = TXTRecord(),
        interfaces: Set<String> = []
    ) {
        self.name = name
        self.types = types
        self.port = port
        self.txt = txt
        self.interfaces = interfaces
    }
}
