package import DNSSD

extension GatewayAdvertisement {
    /// Returns the TXT record to advertise a gateway with: `fp`, `name`, `bots` and `ver`, in this order.
    ///
    /// Values that are `nil` are left out. Keep quotation marks out of the name: there is a client that reads the
    /// output of avahi-browse, where they end a string.
    ///
    /// - Parameters:
    ///   - fingerprint: The gateway's fingerprint.
    ///   - name: Its name for people, at most 250 bytes of UTF-8.
    ///   - bots: How many bots it has.
    ///   - version: The version of its protocol.
    /// - Throws: ``/DNSSD/DNSSDError`` `stringTooLong` when the name does not fit.
    package static func txtRecord(
        fingerprint: GatewayFingerprint?,
        name: String? = nil,
        bots: Int? = nil,
        version: Int? = nil
    ) throws(DNSSDError) -> TXTRecord {
        var record = TXTRecord()
        if let fingerprint { try record.set(fingerprint.bytes, forKey: "fp") }
        if let name { try record.set(name, forKey: "name") }
        if let bots { try record.set(String(bots), forKey: "bots") }
        if let version { try record.set(String(version), forKey: "ver") }
        return record
    }
}
