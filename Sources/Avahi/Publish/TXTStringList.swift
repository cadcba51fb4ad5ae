internal import CAvahiCommon
internal import DNSSD

/// A TXT record as Avahi's string list, freed with this object.
final class TXTStringList {
    /// The list; `nil` is the empty one.
    private(set) var head: UnsafeMutablePointer<AvahiStringList>?

    init(_ txt: TXTRecord) throws(AvahiError) {
        // The list grows at its head, and Avahi reverses it when it makes the record.
        for string in txt.strings {
            guard let next = stringList(head, adding: string, count: string.count) else {
                freeStringList(head)
                head = nil
                throw .noMemory
            }
            head = next
        }
    }

    /// Returns the strings of an Avahi list, in the order of the record.
    static func strings(_ list: UnsafeMutablePointer<AvahiStringList>?) -> [[UInt8]] {
        var strings: [[UInt8]] = []
        var next = list
        while let item = next {
            let size = avahi_string_list_get_size(item)
            strings.append([UInt8](UnsafeBufferPointer(start: avahi_string_list_get_text(item), count: size)))
            next = avahi_string_list_get_next(item)
        }
        return strings
    }

    deinit {
        freeStringList(head)
    }
}
