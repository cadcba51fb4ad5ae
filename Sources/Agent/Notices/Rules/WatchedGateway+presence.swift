internal import Reports

/// The presence of a watched gateway: its outages, and what is to be told of them.
extension WatchedGateway {
    /// The time for which it must answer before its outage has ended: what answers at its place may be another thing, as is
    /// known a moment later.
    private static let answerHold = Duration.seconds(1)

    /// The time by which an outage of one that goes away again and again must be longer than all before, and at least by half
    /// of them, to be told as soon as that: it is not one more of the same.
    private static let outageExcess = Duration.seconds(3)

    /// The times for which an outage, and one of those that come again and again, is looked at often.
    private static let freshOutageInterval = Duration.seconds(10)
    private static let unsteadyOutageInterval = Duration.seconds(30)

    /// The time after a return in which another outage belongs to the same trouble.
    static var settlingHold: Duration { Notice.Kind.settled.rule.hold }

    /// Takes in its presence.
    ///
    /// - Returns: What is new in the history of its outages.
    mutating func followPresence(at moment: Moment) -> [NoticeAction] {
        let now = moment.instant
        defer { outageInstant = memory.outage.map { outageInstant ?? moment.instant(of: $0) } }
        switch presence(at: now) {
        case .answering:
            memory.hasAnswered = true
            let answering = facts.ways.filter(\.value).keys.sorted()
            if !answering.isEmpty { lastWays = answering }
            (silentSince, downSince, upSince) = (nil, nil, upSince ?? now)
            let since = answeringSince ?? now
            answeringSince = since
            guard let outage = memory.outage, now - since >= Self.answerHold else { return [] }
            let end = moment.time.advanced(by: since - now)
            (memory.outage, memory.outageEnd) = (nil, end)
            memory.longestOutage = max(memory.longestOutage, end.milliseconds - outage.milliseconds)
            return [.outageEnded(key: facts.subject.key, at: end)]
        case .silent:
            silentSince = silentSince ?? lastAnswer(before: moment)
        case .gone where isJudged(at: now):
            (upSince, answeringSince) = (nil, nil)
            guard memory.hasAnswered else { break }
            downSince = downSince ?? now
            guard memory.outage == nil else { break }
            let began = silentSince ?? lastAnswer(before: moment)
            memory.outage = began
            memory.allOutages += 1
            if !isUnsettled(at: now) { (memory.outages, memory.longestOutage) = (0, 0) }
            memory.outages += 1
            return [.outageBegan(facts.subject, at: began, reason: facts.reason, ways: lastWays)]
        case .gone, .unknown:
            (upSince, answeringSince) = (nil, nil)
            // This host may be what is silent.
            if memory.outage == nil { silentSince = nil }
        }
        return []
    }

    /// Indicates whether an outage that begins now belongs to the trouble of which the user was told.
    private func isUnsettled(at now: ContinuousClock.Instant) -> Bool {
        memory.told != .up || returned.map { now - $0 < Self.settlingHold } ?? false
    }

    // MARK: What is to be told

    /// Returns the kind of the message about its presence that the user is to be told; `nil` if the user knows.
    func presenceNews(at now: ContinuousClock.Instant) -> Notice.Kind? {
        let up = memory.outage == nil && facts.presence == .answering ? upSince.map { now - $0 } : nil
        let down = memory.outage != nil && isJudged(at: now) ? downSince.map { now - $0 } : nil
        switch memory.told {
        case .up:
            guard down != nil else { return nil }
            return isUnsettled(at: now) && !isLongerThanBefore(at: now) ? .unsteady : .gone
        case .down: return up.map { $0 >= Notice.Kind.back.rule.hold } == true ? .back : nil
        case .unsteady:
            let isSettled = (up ?? down).map { $0 >= Self.settlingHold } ?? false
            return isSettled || down != nil && isLongerThanBefore(at: now) ? .settled : nil
        }
    }

    /// Indicates whether the outage that lasts is longer than those of which the user was told that they come and go.
    private func isLongerThanBefore(at now: ContinuousClock.Instant) -> Bool {
        guard memory.outages > 1, memory.longestOutage > 0, let outage = outageInstant else { return false }
        let longest = Duration.milliseconds(memory.longestOutage)
        return now - outage >= longest + max(Self.outageExcess, longest / 2)
    }

    /// Indicates whether a message that others are gone or back waits for this one, to which the same may happen in a moment.
    func mayJoin(_ kind: Notice.Kind, at now: ContinuousClock.Instant) -> Bool {
        guard kind == .gone else { return isReturning(at: now) }
        // In a large outage, not all are asked at once.
        return isTakenAsUp(at: now)
            && (facts.presence == .silent || facts.presence == .answering && isOverdue(at: now))
    }

    /// Indicates whether nothing yet says that it may be gone but its silence.
    private func isTakenAsUp(at now: ContinuousClock.Instant) -> Bool {
        memory.hasAnswered && memory.told == .up && memory.outage == nil && facts.hasNetwork && isJudged(at: now)
    }

    /// Indicates whether it may be back in a moment.
    private func isReturning(at now: ContinuousClock.Instant) -> Bool {
        memory.told == .down && facts.presence == .answering && facts.hasNetwork && upSince != nil
            && presenceNews(at: now) == nil
    }

    /// Indicates whether something about its presence is decided within the next seconds.
    func isSettling(at now: ContinuousClock.Instant) -> Bool {
        if isReturning(at: now) || isTakenAsUp(at: now) && facts.presence == .silent { return true }
        // What has just begun to answer has yet to end its outage.
        if facts.presence == .answering { return memory.outage != nil }
        // One that goes away again and again may stay away this time.
        if memory.told == .unsteady, let downSince, now - downSince < Self.unsteadyOutageInterval { return true }
        let isOpen = memory.outage == nil || downSince == nil || !isJudged(at: now)
        if memory.hasAnswered, facts.hasNetwork, isOpen { return true }
        return downSince.map { memory.told == .up && now - $0 < Self.freshOutageInterval } ?? false
    }
}
