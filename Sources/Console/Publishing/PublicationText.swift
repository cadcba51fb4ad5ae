package import DNSSD

/// The state of a publication, in words; every text in it is cleaned.
package struct PublicationText: PublicationWording, Hashable {
    /// A text, and the stream to which it is written.
    package enum Item: Hashable {
        /// A result, for standard output.
        case result(String)
        case warning(String)
    }

    private let types: String
    private let port: UInt16
    private let zone: DomainName?

    /// - Parameter zone: The domain in which it is published, if it is not that of the LAN.
    package init(_ advertisement: Advertisement, zone: DomainName? = nil) {
        self.zone = zone
        self.types = advertisement.types.map(\.description).joined(separator: ", ")
        self.port = advertisement.port
    }

    /// Returns the text for a state; `nil` when there is nothing to say.
    package func item(_ state: PublicationState) -> Item? {
        switch state {
        case .publishing(waitingFor: .none), .withdrawn, .failed:
            nil
        case .publishing(waitingFor: .some(let error)):
            .warning(
                zone == nil
                    ? "\(error.message) Waiting for it; nothing is published."
                    : "\(error.message) Trying on; what was published there before stays for half an hour."
            )
        case .renamed(let from, let to):
            .warning(
                "the name \(quoted(from)) is taken \(zone == nil ? "on this network" : "in this domain"); trying \(quoted(to)) instead."
            )
        case .published(let name):
            .result("published \(quoted(name)) as \(types) on port \(port)\(place) (Ctrl-C withdraws it)")
        }
    }

    private var place: String { zone.map { " in \($0.shown)" } ?? "" }

    private func quoted(_ name: String) -> String { "\"\(DisplayText(name))\"" }
}
