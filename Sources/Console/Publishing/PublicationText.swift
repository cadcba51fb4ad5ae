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

    package init(_ advertisement: Advertisement) {
        self.types = advertisement.types.map(\.description).joined(separator: ", ")
        self.port = advertisement.port
    }

    /// Returns the text for a state; `nil` when there is nothing to say.
    package func item(_ state: PublicationState) -> Item? {
        switch state {
        case .publishing(waitingFor: .none), .withdrawn, .failed:
            nil
        case .publishing(waitingFor: .some(let error)):
            .warning("\(error.message) Waiting for it; nothing is published.")
        case .renamed(let from, let to):
            .warning("the name \(quoted(from)) is taken on this network; trying \(quoted(to)) instead.")
        case .published(let name):
            .result("published \(quoted(name)) as \(types) on port \(port) (Ctrl-C withdraws it)")
        }
    }

    private func quoted(_ name: String) -> String { "\"\(DisplayText(name))\"" }
}
