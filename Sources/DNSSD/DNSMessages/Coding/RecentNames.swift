/// The names that were decoded last, by the offset at which they begin in the message.
///
/// Most names in a message are nothing but a pointer to a name just before: the owner name of SRV and TXT records is
/// the one that the PTR record points to. Such names share its buffer, without an allocation.
struct RecentNames {
    private var first = (offset: 0, name: DomainName?.none)
    private var second = (offset: 0, name: DomainName?.none)
    private var third = (offset: 0, name: DomainName?.none)
    private var fourth = (offset: 0, name: DomainName?.none)

    /// The index of the name that is replaced next.
    private var turn = 0

    /// The name that begins at an offset, if it is still stored. No name begins at 0.
    subscript(offset: Int) -> DomainName? {
        if first.offset == offset { return first.name }
        if second.offset == offset { return second.name }
        if third.offset == offset { return third.name }
        if fourth.offset == offset { return fourth.name }
        return nil
    }

    /// Returns the stored name with the very same bytes, or else the name itself: whoever does not compress names must not make
    /// each record keep one of its own.
    func shared(_ name: DomainName) -> DomainName {
        if let known = first.name, known.wire == name.wire { return known }
        if let known = second.name, known.wire == name.wire { return known }
        if let known = third.name, known.wire == name.wire { return known }
        if let known = fourth.name, known.wire == name.wire { return known }
        return name
    }

    mutating func insert(_ name: DomainName, at offset: Int) {
        switch turn {
        case 0: first = (offset, name)
        case 1: second = (offset, name)
        case 2: third = (offset, name)
        default: fourth = (offset, name)
        }
        turn = (turn + 1) & 3
    }
}
