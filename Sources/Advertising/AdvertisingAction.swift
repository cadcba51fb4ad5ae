internal import DNSSD

/// An action to take on an advertisement.
enum AdvertisingAction: Hashable, Sendable {
    /// Publish this. The number is given back with each state of the publication.
    case publish(Advertisement, number: Int)

    /// Replace the TXT record of what is published.
    case update(TXTRecord)

    /// Take it back.
    case withdraw

    /// Publishing failed for good: end.
    case finish
}
