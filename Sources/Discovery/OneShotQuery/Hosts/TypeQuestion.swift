internal import DNSSD

/// A question for the service types of the link (RFC 6763 §9). A value: no clock, no I/O.
struct TypeQuestion: LinkQuestion {
    /// The largest number of types that are accepted, since anybody on the link may answer.
    static let mostTypes = 512

    /// Every host answers with its own.
    static let timeAfterFirstAnswer: Duration? = nil

    let id: UInt16

    /// The types in the answers.
    private(set) var types: Set<ServiceType> = []

    var answers: [ServiceType] { types.sorted() }

    init(id: UInt16) {
        self.id = id
    }

    var packets: [[UInt8]] {
        [DNSMessage(id: id, questions: [DNSQuestion(oneShot: .serviceTypes, type: .ptr)]).encoded().bytes]
    }

    mutating func receive(_ message: DNSMessage, on link: Link) {
        for record in message.answers where record.name == .serviceTypes && record.ttl > 0 {
            // What is no type, as in another domain, is of no use to a browser.
            guard case .ptr(let name) = record.data, Array(name.labels).count == 3, types.count < Self.mostTypes,
                let type = try? ServiceType(name.description)
            else { continue }
            types.insert(type)
        }
    }
}
