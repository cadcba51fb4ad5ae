package import DNSSD

extension IPAddress {
    /// Indicates whether this is a cloud's metadata service: 169.254.169.254, fd00:ec2::254 or 100.100.100.200. An
    /// attacker who can make a host send requests there gets the host's credentials.
    package var isMetadataService: Bool {
        switch self {
        case .v4(let address): address.bits == 0xA9FE_A9FE || address.bits == 0x6464_64C8
        case .v6(let address): address.bits == 0xFD00_0EC2 << 96 | 0x254
        }
    }

    /// The IPv4 address that is embedded in an address of 64:ff9b::/96 (RFC 6052), 2002::/16 (RFC 3056) or ::/96 (RFC
    /// 4291 §2.5.5.1).
    var translatedIPv4: IPv4Address? {
        guard case .v6(let address) = self, !address.isLoopback, !address.isUnspecified else { return nil }
        if address.bits >> 32 == 0x0064_FF9B << 64 || address.bits >> 32 == 0 {
            return IPv4Address(bits: UInt32(truncatingIfNeeded: address.bits))
        }
        guard address.bits >> 112 == 0x2002 else { return nil }
        return IPv4Address(bits: UInt32(truncatingIfNeeded: address.bits >> 80))
    }

    /// Indicates whether secrets may go there in clear at all: inside this host, or to an address of the user's own networks
    /// that is no cloud's metadata service.
    package var mayHaveSecretsInClear: Bool {
        let address = unmapped
        return (address.isLoopback || address.isLocalNetwork) && !address.isMetadataService
    }

    /// Indicates whether the address belongs to a private or local network: RFC 1918, 169.254/16, 100.64/10 (RFC 6598),
    /// fc00::/7, fe80::/10.
    package var isLocalNetwork: Bool {
        switch self {
        case .v4(let address):
            address.bits >> 24 == 10 || address.bits >> 20 == 0xAC1 || address.bits >> 16 == 0xC0A8
                || address.isLinkLocal || address.bits >> 22 == 0x191
        case .v6(let address):
            address.isLinkLocal || address.bits >> 121 == 0x7E
        }
    }

    /// Returns whether the address is in 240.0.0.0/4, which includes 255.255.255.255 and is assigned to no host, or is
    /// the last address of one of these networks.
    func isBroadcast(in networks: [TargetRules.Prefix]) -> Bool {
        guard case .v4(let address) = self else { return false }
        if address.bits >> 28 == 0xF { return true }
        return networks.contains { network in
            guard network.length < 31, network.contains(self) else { return false }
            let hosts = UInt32(truncatingIfNeeded: UInt64(0xFFFF_FFFF) >> UInt64(max(network.length, 0)))
            return address.bits & hosts == hosts
        }
    }
}
