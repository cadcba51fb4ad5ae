internal import DNSSD

/// Parsing of the kernel's answer to a request for routes: rtnetlink messages (rtnetlink(7)) with one route each. It
/// does no I/O: bytes in, routes out.
struct RouteReader {
    /// The routes to collect.
    enum Scope: Hashable {
        /// The route to the requested destination.
        case destination

        /// The default routes in the whole table.
        case defaults
    }

    // From <linux/rtnetlink.h>, which Swift's modules for the C library leave out.
    private static let newRoute: UInt16 = 24  // RTM_NEWROUTE
    private static let getRoute: UInt16 = 26  // RTM_GETROUTE

    /// The length of `struct rtmsg`.
    private static let entryLength = 12

    /// RT_TABLE_MAIN.
    private static let mainTable: UInt32 = 254

    /// RTN_UNICAST and RTN_LOCAL: routes of the other types lead nowhere.
    private static let unicast: UInt8 = 1
    private static let local: UInt8 = 2

    private enum Attribute {
        static let destination: UInt16 = 1  // RTA_DST
        static let interface: UInt16 = 4  // RTA_OIF
        static let router: UInt16 = 5  // RTA_GATEWAY
        static let metric: UInt16 = 6  // RTA_PRIORITY
        static let source: UInt16 = 7  // RTA_PREFSRC
        static let hops: UInt16 = 9  // RTA_MULTIPATH
        static let table: UInt16 = 15  // RTA_TABLE
        static let routerOfOtherFamily: UInt16 = 18  // RTA_VIA
    }

    /// The length of `struct rtnexthop`, which precedes the attributes of each router of a route that has several.
    private static let hopLength = 8

    /// The maximum number of routes that are kept.
    private static let mostRoutes = 64

    private let scope: Scope

    /// The routes that were found.
    private(set) var routes: [Route] = []

    init(_ scope: Scope) {
        self.scope = scope
    }

    // MARK: Questions

    /// Returns the request for the route to an address.
    static func request(to address: IPAddress, sequence: UInt32) -> [UInt8] {
        let family = address.family == .ipv4 ? NetlinkMessage.Family.ipv4 : NetlinkMessage.Family.ipv6
        var body = [family, UInt8(truncatingIfNeeded: address.bytes.count * 8)]
        body += [UInt8](repeating: 0, count: entryLength - body.count)
        body += NetlinkMessage.attribute(Attribute.destination, address.bytes)
        if let scope = address.scope {
            body += NetlinkMessage.attribute(Attribute.interface, NetlinkMessage.native(scope.index))
        }
        return NetlinkMessage.request(getRoute, body: body, isForTable: false, sequence: sequence)
    }

    /// Returns the request for all routes of both families.
    static func request(sequence: UInt32) -> [UInt8] {
        let entry = [UInt8](repeating: 0, count: entryLength)
        return NetlinkMessage.request(getRoute, body: entry, isForTable: true, sequence: sequence)
    }

    // MARK: Answers

    /// Reads the whole messages of one read. Answers to other requests are ignored.
    mutating func take(_ bytes: ArraySlice<UInt8>, sequence: UInt32) -> NetlinkMessage.Progress {
        let progress = NetlinkMessage.read(bytes, sequence: sequence) { message in
            if message.type == Self.newRoute { takeRoute(message.body) }
        }
        // The answer for a single destination is one message, and no end marker follows it.
        return progress == .incomplete && scope == .destination && !routes.isEmpty ? .complete : progress
    }

    private mutating func takeRoute(_ entry: ArraySlice<UInt8>) {
        let fields = Array(entry.prefix(Self.entryLength))
        guard fields.count == Self.entryLength else { return }
        let (family, prefixLength, type) = (fields[0], fields[1], fields[7])
        var hop = Hop(family: family)
        var hops: ArraySlice<UInt8> = []
        var table = UInt32(fields[4])
        var metric: UInt32 = 0
        var source: IPAddress?
        let areWhole = NetlinkMessage.readAttributes(entry.dropFirst(Self.entryLength)) { attribute, value in
            switch attribute {
            case Attribute.metric: metric = NetlinkMessage.uint32(value, at: 0) ?? metric
            case Attribute.source: source = NetlinkMessage.address(value, family: family)
            case Attribute.table: table = NetlinkMessage.uint32(value, at: 0) ?? table
            case Attribute.hops: hops = value
            default: hop.take(attribute, value)
            }
        }
        guard areWhole, type == Self.unicast || type == Self.local else { return }
        if scope == .defaults {
            guard prefixLength == 0, type == Self.unicast, table == Self.mainTable else { return }
        }
        for hop in hops.isEmpty ? [hop] : Self.hops(hops, family: family) where routes.count < Self.mostRoutes {
            guard hop.interface > 0 else { continue }
            routes.append(
                Route(
                    interface: hop.interface,
                    router: hop.router,
                    source: source,
                    isOwnHost: type == Self.local,
                    metric: metric
                )
            )
        }
    }

    /// One router of a route, with the interface that leads to it.
    private struct Hop {
        let family: UInt8
        var interface: UInt32 = 0
        var router: IPAddress?

        mutating func take(_ attribute: UInt16, _ value: ArraySlice<UInt8>) {
            switch attribute {
            case Attribute.interface:
                interface = NetlinkMessage.uint32(value, at: 0) ?? 0
            case Attribute.router:
                router = NetlinkMessage.address(value, family: family)
            case Attribute.routerOfOtherFamily:
                // The value is a `struct rtvia`: the family, then the address.
                guard let other = NetlinkMessage.uint16(value, at: 0) else { return }
                router = NetlinkMessage.address(value.dropFirst(2), family: UInt8(truncatingIfNeeded: other))
            default:
                break
            }
        }
    }

    private static func hops(_ bytes: ArraySlice<UInt8>, family: UInt8) -> [Hop] {
        var hops: [Hop] = []
        var rest = bytes
        while let length = NetlinkMessage.uint16(rest, at: 0), let index = NetlinkMessage.uint32(rest, at: 4),
            (hopLength...rest.count).contains(Int(length))
        {
            var hop = Hop(family: family, interface: index)
            NetlinkMessage.readAttributes(rest.prefix(Int(length)).dropFirst(hopLength)) { hop.take($0, $1) }
            hops.append(hop)
            rest = rest.dropFirst(NetlinkMessage.aligned(Int(length)))
        }
        return hops
    }
}
