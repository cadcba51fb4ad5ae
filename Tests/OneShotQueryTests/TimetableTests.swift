import DNSSD
import Testing

@testable import Discovery

/// The parts of the query that determine the times of questions, each by itself.
@Suite struct TimetableTests {
    private let start = ContinuousClock.now

    /// Returns a time in milliseconds since the start.
    private func milliseconds(_ time: ContinuousClock.Instant?) -> Int? {
        time.map { Int(($0 - start) / .milliseconds(1)) }
    }

    // MARK: The first question

    @Test func theQuestionIsRepeatedOnceAndThenOnlyWhereSomethingWasLost() {
        let configuration = OneShotConfiguration()
        var question = FirstQuestion(opened: start, repeatedAfter: configuration.repetitionDelay)
        var times: [Int] = []
        for isLost in [false, true, true, true, true] {
            guard let time = question.deadline, question.takeRepetition(now: time) else { break }
            question.hasGap = isLost
            if question.repeatIfDue(known: 0, lacksSome: false, configuration, now: time) {
                times.append(milliseconds(time) ?? 0)
            }
        }
        #expect(times == [250, 750, 1_750, 3_750])
        #expect(question.deadline == nil)
    }

    @Test func theQuestionIsNotRepeatedWhileItsAnswersCome() {
        let configuration = OneShotConfiguration()
        var question = FirstQuestion(opened: start, repeatedAfter: .milliseconds(250))
        question.lastAnswer = start + .milliseconds(240)
        let first = question.deadline ?? start
        #expect(question.takeRepetition(now: first) == true)
        #expect(question.repeatIfDue(known: 3, lacksSome: true, configuration, now: first) == false)
        #expect(milliseconds(question.deadline) == 290)
        // If no answer is incomplete, the query waits longer the more instances there are.
        var idle = FirstQuestion(opened: start, repeatedAfter: .milliseconds(250))
        #expect(idle.takeRepetition(now: first) == true)
        #expect(idle.repeatIfDue(known: 1_000, lacksSome: false, configuration, now: first) == false)
        #expect(milliseconds(idle.deadline) == 2_000)
    }

    // MARK: IDs

    @Test func idsAreTakenAcrossTheEndOfTheirNumbers() {
        var ids = QuestionIDs(after: 65_533)
        let used = (0..<4).map { _ in ids.next() }
        #expect(used == [65_534, 65_535, 1, 2])
        #expect(used.allSatisfy { ids.contains($0) })
        #expect(!ids.contains(0) && !ids.contains(65_533) && !ids.contains(3))
    }

    // MARK: The follow-up

    @Test func whatIsIncompleteIsAskedForWhenNothingComesForAMoment() throws {
        let configuration = OneShotConfiguration()
        var followUp = FollowUp()
        followUp.expectMore(configuration, now: start)
        #expect(followUp.deadline == nil, "no record is missing")
        followUp.insert(try DomainName(escaped: "desk.local"))
        var now = start
        // The question is postponed while answers keep arriving, but not for ever.
        for _ in 0..<30 {
            followUp.expectMore(configuration, now: now)
            now += .milliseconds(4)
        }
        #expect(milliseconds(followUp.deadline) == 50)
        #expect(followUp.takeQuestion(now: now) == true)
        #expect(followUp.takeQuestion(now: now) == false)
        followUp.expectMore(configuration, now: now)
        #expect(followUp.deadline == nil, "the question has been asked, and nothing new is missing")
    }

    @Test func cutAnswersAreFollowedEightTimesUntilTheNextCheck() throws {
        let name = try DomainName(escaped: "_openclaw._tcp.local")
        var answers = CutAnswers()
        func questions() -> Int {
            var count = 0
            for _ in 0..<20 {
                answers.askForRest(of: name, now: start)
                guard answers.takeQuestion(now: start) else { continue }
                #expect(answers.takeNames() == [name])
                answers.noteAsked()
                count += 1
            }
            return count
        }
        #expect(questions() == CutAnswers.maximumQuestions)
        answers.beginCheck()
        #expect(questions() == CutAnswers.maximumQuestions)
    }

    /// A cut answer leads to one question about the name that it was about, and not again about earlier names.
    @Test func theRestIsAskedForOnce() throws {
        let names = try ["_openclaw._tcp.local", "_moltbot-gw._tcp.local"].map { try DomainName(escaped: $0) }
        var answers = CutAnswers()
        for name in names {
            answers.askForRest(of: name, now: start)
            answers.askForRest(of: name, now: start)
            #expect(answers.takeQuestion(now: start) == true)
            #expect(answers.takeNames() == [name])
            #expect(answers.takeQuestion(now: start) == false && answers.deadline == nil)
        }
    }

    // MARK: The backend

    @Test func lossesThatGoOnAreFollowedByQuestionsEverMoreRarely() {
        var questions = OverloadQuestions()
        var times: [Int] = []
        var now = start
        while now < start + .seconds(120) {
            questions.noteLoss(now: now)
            if questions.takeQuestion(now: now) { times.append(Int((now - start) / .milliseconds(1))) }
            now += .milliseconds(250)
        }
        #expect(times.prefix(9) == [250, 2_250, 4_250, 6_250, 8_250, 10_250, 12_250, 14_250, 16_250])
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(pauses.max() ?? 0 > 2_000)
        #expect(pauses.allSatisfy { $0 <= 16_000 })
        // New losses are followed at once again.
        questions = OverloadQuestions()
        questions.noteLoss(now: now)
        #expect(questions.deadline == now + OverloadQuestions.delay)
    }

    @Test func aSilentBackendIsFollowedByQuestionsUntilAWhileAfterItIsBack() {
        var questions = OutageQuestions()
        var asked: [Int] = []
        func pass(until end: Duration) {
            while let time = questions.deadline, time <= start + end {
                guard questions.takeSpacing(services: 1, now: time) != nil else { break }
                questions.ask(services: 1, now: time)
                asked.append(Int((time - start) / .milliseconds(1)))
            }
        }
        questions.backendStopped(hasRun: true, services: 1, now: start)
        pass(until: .seconds(20))
        #expect(asked == [250, 1_250, 2_250, 3_250, 4_250, 5_250, 6_250, 7_250, 8_250, 9_250, 10_250, 12_250, 16_250])
        questions.backendStarted(hasRun: true, now: start + .seconds(20))
        pass(until: .seconds(60))
        #expect(questions.deadline == nil, "the backend works again: \(asked)")
        #expect(asked.last.map { $0 <= 30_000 } == true)
    }

    @Test func aBackendThatHasOnlyJustBegunIsNotSilent() {
        var questions = OutageQuestions()
        questions.backendStopped(hasRun: false, services: 0, now: start)
        #expect(questions.deadline == start + OutageQuestions.startTime)
        questions.backendStarted(hasRun: false, now: start + .milliseconds(500))
        #expect(questions.deadline == nil)
    }

    @Test func aBusyBackendIsLeftAloneForAWhile() {
        var backend = AccompaniedBackend()
        #expect(backend.isRunning && !backend.hasRun)
        backend.change(isRunning: true, isBusy: true, now: start)
        #expect(backend.isBusy(now: start + .seconds(29)))
        backend.change(isRunning: true, isBusy: true, now: start + .seconds(29))
        #expect(!backend.isBusy(now: start + .seconds(30)), "the time counts from the first report of being busy")
        backend.change(isRunning: false, isBusy: true, now: start)
        #expect(!backend.isBusy(now: start) && backend.hasRun)
    }

    @Test func theQuestionToAllIsAskedOnce() {
        var question = MulticastQuestion()
        #expect(question.begin(askingAt: start + .milliseconds(30)) == true)
        #expect(question.begin(askingAt: start) == false, "links that appear later are left to the backend")
        #expect(question.takeQuestion(now: start) == false)
        question.backendIsReady(hasCut: false, now: start)
        #expect(question.deadline == start + .milliseconds(30))
        question.backendIsReady(hasCut: true, now: start)
        #expect(question.takeQuestion(now: start) == true)
        #expect(question.takeQuestion(now: start + .seconds(1)) == false)
        question.listen(until: start + .milliseconds(500))
        #expect(question.isListening && question.deadline == start + .milliseconds(500))
        #expect(question.takeEndOfListening(now: start + .milliseconds(500)) == true)
        #expect(!question.isListening)
    }

    // MARK: Checks

    @Test func aCheckAsksByNameAndThenJudges() {
        var checks = InstanceChecks()
        #expect(checks.isIdle)
        checks.schedule(at: start)
        #expect(checks.takeCheck(now: start) == true)
        checks.begin(.unconfirmed, now: start)
        #expect(!checks.isIdle && checks.subject == .unconfirmed)
        #expect(checks.postponeReconfirmation() == true, "reconfirmations wait for the end of the check")
        // After a delay, as caused by a sleep, instances that are asked for by name still have the full time to answer.
        let late = start + .seconds(60)
        #expect(checks.takeNaming(now: late) == true)
        #expect(checks.takeNaming(now: late) == false)
        #expect(checks.takeJudgement(now: late) == nil)
        #expect(checks.takeJudgement(now: late + .milliseconds(700)) == .unconfirmed)
        #expect(checks.takeJudgement(now: late + .seconds(9)) == nil)
        #expect(checks.takeReconfirmation(now: late) == true)
        #expect(checks.isIdle)
    }

    /// A check of all instances that becomes due during a reconfirmation begins right after it, and the other way
    /// round.
    @Test func checksWaitForEachOther() {
        var checks = InstanceChecks()
        #expect(checks.waitForCheck() == false && checks.postponeReconfirmation() == false, "no check is running")
        checks.scheduleReconfirmation(now: start)
        checks.scheduleReconfirmation(now: start + .milliseconds(600))
        #expect(checks.deadline == start + InstanceChecks.checkTime, "further requests do not postpone it")
        #expect(checks.takeReconfirmation(now: start + .seconds(1)) == true)
        checks.begin(.reconfirming, now: start + .seconds(1))
        checks.schedule(at: start + .milliseconds(1_500))
        #expect(checks.takeCheck(now: start + .milliseconds(1_500)) == true)
        #expect(checks.waitForCheck() == true)
        #expect(checks.takeNaming(now: start + .milliseconds(1_500)) == true)
        #expect(checks.takeCheck(now: start + .milliseconds(1_999)) == false)
        #expect(checks.takeJudgement(now: start + .milliseconds(2_200)) == .reconfirming)
        #expect(checks.takeCheck(now: start + .milliseconds(2_200)) == true)
        checks.begin(.unconfirmed, now: start + .milliseconds(2_200))
        checks.scheduleReconfirmation(now: start + .milliseconds(2_200))
        #expect(checks.takeReconfirmation(now: start + .milliseconds(3_200)) == true)
        #expect(checks.postponeReconfirmation() == true)
        #expect(checks.takeJudgement(now: start + .milliseconds(3_200)) == .unconfirmed)
        #expect(checks.takeReconfirmation(now: start + .milliseconds(3_200)) == true)
    }

    /// A cut answer brings the multicast question forward only once the backend is ready, since it would not receive
    /// the answers before.
    @Test func aCutAnswerBringsTheQuestionToAllWhereTheBackendIsReady() {
        var question = MulticastQuestion()
        #expect(question.begin(askingAt: start + .milliseconds(30)) == true)
        question.answerWasCut(now: start + .milliseconds(5))
        #expect(question.deadline == start + .milliseconds(30), "the backend is not ready yet")
        question.backendIsReady(hasCut: false, now: start + .milliseconds(10))
        question.answerWasCut(now: start + .milliseconds(15))
        #expect(question.takeQuestion(now: start + .milliseconds(15)) == true)
        // The time for the backend to become ready is over.
        var late = MulticastQuestion()
        #expect(late.begin(askingAt: start) == true && late.takeQuestion(now: start) == true)
        #expect(late.deadline == nil)
        late.answerWasCut(now: start + .milliseconds(50))
        #expect(late.takeQuestion(now: start + .milliseconds(50)) == true)
    }

    @Test func goodbyesAreHeardAfterTheBackendHasHadItsTime() {
        var hearing = GoodbyeListening.off
        hearing.expect(now: start)
        hearing.expect(now: start + .seconds(1))
        #expect(hearing.deadline == start + GoodbyeListening.backendHead)
        #expect(hearing.takeBeginning(now: start + .seconds(1)) == false)
        #expect(hearing.takeBeginning(now: start + .seconds(2)) == true)
        hearing = .on
        hearing.expect(now: start)
        #expect(hearing == .on && hearing.deadline == nil)
    }

    @Test func answersAreTakenToTheLatestQuestionsAlone() {
        var ids = QuestionIDs(after: .max)
        let first = ids.next()
        #expect(first == 1, "multicast questions have the ID 0")
        #expect(ids.contains(first) && !ids.contains(2))
        for _ in 1..<QuestionIDs.inUse { _ = ids.next() }
        #expect(ids.contains(first))
        _ = ids.next()
        #expect(!ids.contains(first))
    }
}
