package import DNSSD

/// The reason why a DNS server did not do an update, or is not known to have done it.
package enum UpdateProblem: Error, Hashable, Sendable {
    /// The server did not answer; with the reason, as the end of a sentence about it.
    case unreachable(String)

    /// An answer that is none to the update.
    case malformed

    /// An answer is not signed as the server signs.
    case forged

    /// An answer is not signed at all: from a server that knows no keys, or gave it up before it looked at the signature.
    case unsigned(DNSResponseCode)

    /// The server does not have the key.
    case badKey

    /// The server has another secret for the key.
    case badSignature

    /// The clocks of this host and of the server differ too much; both in seconds since 1970.
    case badTime(server: UInt64, here: UInt64)

    /// The server did not do it, and says so.
    case refused(DNSResponseCode)

    /// Indicates whether something in the zone was not as expected, rather than anything being wrong with the update.
    var meansOtherRecords: Bool {
        switch self {
        case .refused(.nameExists), .refused(.recordsExist), .refused(.recordsMissing): true
        default: false
        }
    }
}

extension UpdateProblem {
    /// Returns the problem as users are told it, with what to do.
    ///
    /// - Parameters:
    ///   - zone: The zone that was to be updated.
    ///   - server: The server, as it was given or found.
    ///   - key: The name of the key.
    package func error(zone: DomainName, server: String, key: DomainName) -> BackendError {
        let (zone, server) = (zone.shown, DisplayText("the DNS server \(server)").text)
        let key = "the key “\(DisplayText(key.escaped))”"
        return switch self {
        case .unreachable(let reason): BackendError(.daemonNotAnswering, "\(server) \(reason).")
        case .malformed: BackendError(.refused, "\(server) answers an update of \(zone) with something else.")
        case .forged:
            BackendError(.refused, "an answer of \(server) is not signed with \(key): it may be somebody else's.")
        case .unsigned(let code):
            BackendError(
                .refused,
                "\(server) answers \(code), and does not sign that: it is none that is updated with \(key). Give the primary "
                    + "server of \(zone), with --server."
            )
        case .badKey:
            BackendError(
                .refused,
                "\(server) does not know \(key), or does not let it update these names (BADKEY). Compare the name of the key in "
                    + "the server's configuration, and what it is granted."
            )
        case .badSignature:
            BackendError(
                .refused,
                "\(server) has another secret for \(key) (BADSIG). Take its key file anew; it may have been renewed."
            )
        case .badTime(let other, let here):
            BackendError(
                .refused,
                "the clock of this host is \(Self.seconds(here, other)) that of \(server), and more than "
                    + "\(TransactionSigner.fudge) s apart neither trusts a signature (BADTIME). One of both is wrong: "
                    + "“timedatectl” says on each whether it is synchronized."
            )
        case .refused(.refused):
            BackendError(
                .refused,
                "\(server) does not let \(key) make these changes to \(zone) (REFUSED). Grant it PTR, SRV and TXT at the "
                    + "service types, PTR at “_services._dns-sd._udp”, and A and AAAA below “hosts”."
            )
        case .refused(.serverFailure):
            BackendError(
                .limitReached,
                "\(server) failed to update \(zone) (SERVFAIL). BIND does so at the 101st record of one name and type: then "
                    + "“max-records-per-type 0;” in its options helps. Else its log says why."
            )
        case .refused(.notAuthoritative), .refused(.notInZone), .refused(.notImplemented):
            BackendError(
                .refused,
                "\(server) is not the primary server of \(zone), or does not take updates (\(responseCode)). Give "
                    + "another one with --server."
            )
        case .refused(.recordsMissing), .refused(.recordsExist), .refused(.nameExists):
            BackendError(
                .nameConflict,
                "others change the same records of \(zone) all the time (\(responseCode)). Look for who does."
            )
        case .refused: BackendError(.refused, "\(server) did not update \(zone) (\(responseCode)). Its log says why.")
        }
    }

    private var responseCode: String {
        if case .refused(let code) = self { "\(code)" } else { "" }
    }

    private static func seconds(_ here: UInt64, _ other: UInt64) -> String {
        here < other ? "\(other - here) s behind" : "\(here - other) s ahead of"
    }
}
