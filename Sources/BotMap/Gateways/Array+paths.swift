internal import DNSSD

/// The paths of one gateway, the one to try first in front.
extension [GatewayPath] {
    /// The first one that tells what gateway it is.
    var teller: GatewayPath? { first(where: \.tells) }

    /// The one whose bots are the gateway's: the first that tells of any; an unproved path tells nothing about a proved
    /// gateway.
    var botTeller: GatewayPath? {
        guard let isConclusive = first?.proof.isConclusive else { return nil }
        return first { path in
            path.tells && path.proof.isConclusive == isConclusive && path.outcome?.identity?.bots.isEmpty == false
        }
    }

    /// Whether the same is told about the gateway in this order as in another one.
    func tellTheSame(as other: [GatewayPath]) -> Bool {
        let tellers = [(teller, other.teller), (botTeller, other.botTeller)]
        return tellers.allSatisfy { $0?.endpoint == $1?.endpoint || $0?.outcome == $1?.outcome }
    }

    func index(of endpoint: Endpoint) -> Int? {
        indices.first { self[$0].endpoint == endpoint }
    }

    /// Where a path belongs once it is as live and as quick as this.
    func place(ofPathAt index: Int, _ liveness: Liveness?, _ roundTrip: Duration?) -> Int {
        var path = self[index]
        _ = path.update(liveness, roundTrip)
        var place = index
        while place > 0, path.precedes(self[place - 1]) { place -= 1 }
        // It goes one way or the other.
        while place >= index, place + 1 < count, self[place + 1].precedes(path) { place += 1 }
        return place
    }

    /// In what paths differ from the same ones in an earlier order.
    func differences(fromOrder earlier: [GatewayPath]) -> GatewayAspects {
        var aspects: GatewayAspects = []
        for index in indices {
            if self[index].endpoint != earlier[index].endpoint { aspects.insert(.paths) }
            if self[index].liveness != earlier[index].liveness { aspects.insert(.liveness) }
            if self[index].roundTrip != earlier[index].roundTrip { aspects.insert(.latency) }
        }
        return aspects
    }
}
