internal import CAvahiCommon
internal import DNSSD

/// A TXT record as Avahi's string list, freed with this object.
final class TXTStringList {
    /// The list; `nil` is the empty one.
    private(set) var head: UnsafeMutablePointer<AvahiStringList>?

    init(_ txt: TXTRecord) throws(AvahiError) {
        // Avahi adds at the head, so that the last string of the record is the first to be added.
        for string in txt.strings.reversed() {
            guard let next = stringList(head, adding: string, count: string.count) else {
                freeStringList(head)
                head = nil
                throw .noMemory
            }
            head = next
        }
    }

    deinit {
        freeStringList(head)
    }
}
