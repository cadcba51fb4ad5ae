/// The data of an SOA record: the start of a zone (RFC 1035 §3.3.13).
package struct SOAData: Hashable, Sendable {
    /// The primary server of the zone.
    package var primary: DomainName

    /// The mailbox of the person responsible for the zone; its first label is the part before the at sign.
    package var mailbox: DomainName

    /// The version of the zone, in serial number arithmetic (RFC 1982).
    package var serial: UInt32

    /// The number of seconds after which a secondary server looks for a new version.
    package var refresh: UInt32

    /// The number of seconds after which a secondary server tries again if that has failed.
    package var retry: UInt32

    /// The number of seconds without success after which a secondary server no longer considers the zone valid.
    package var expire: UInt32

    /// The number of seconds for which a resolver may cache that a name does not exist (RFC 2308 §4).
    package var minimum: UInt32

    /// Creates the data of an SOA record. All times are in seconds.
    package init(
        primary: DomainName,
        mailbox: DomainName,
        serial: UInt32,
        refresh: UInt32,
        retry: UInt32,
        expire: UInt32,
        minimum: UInt32
    ) {
        self.primary = primary
        self.mailbox = mailbox
        self.serial = serial
        self.refresh = refresh
        self.retry = retry
        self.expire = expire
        self.minimum = minimum
    }
}
