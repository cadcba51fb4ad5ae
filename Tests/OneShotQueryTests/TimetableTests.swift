import DNSSD
import Testing

@testable import OneShotQuery

/// Protects the parts of the query that say when something is asked, each by itself.
@Suite struct TimetableTests {
    private let start = ContinuousClock.now

    /// The times, in milliseconds, at which a timetable that is asked at its deadline has something.
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
        // Where nothing is missing, many instances are left more time.
        var calm = FirstQuestion(opened: start, repeatedAfter: .milliseconds(250))
        #expect(calm.takeRepetition(now: first) == true)
        #expect(calm.repeatIfDue(known: 1_000, lacksSome: false, configuration, now: first) == false)
        #expect(milliseconds(calm.deadline) == 2_000)
    }

    // MARK: Ids

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
        #expect(followUp.deadline == nil, "nothing is missing")
        followUp.insert(try DomainName(escaped: "desk.local"))
        var now = start
        // Answers keep coming: it is put off, but not for ever.
        for _ in 0..<30 {
            followUp.expectMore(configuration, now: now)
            now += .milliseconds(4)
        }
        #expect(milliseconds(followUp.deadline) == 50)
        #expect(followUp.takeQuestion(now: now) == true)
        #expect(followUp.takeQuestion(now: now) == false)
        followUp.expectMore(configuration, now: now)
        #expect(followUp.deadline == nil, "it has been asked for, and nothing new has come")
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

    /// Each cut answer is followed for what it was about, and not again for what was asked before.
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

    // MARK: Beside the backend

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
        // After a quiet time it begins anew.
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
        #expect(questions.deadline == nil, "it works: \(asked)")
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
        var backend = BackendCondition()
        #expect(backend.isRunning && !backend.hasRun)
        backend.change(isRunning: true, isBusy: true, now: start)
        #expect(backend.isBusy(now: start + .seconds(29)))
        backend.change(isRunning: true, isBusy: true, now: start + .seconds(29))
        #expect(!backend.isBusy(now: start + .seconds(30)), "it counts from the first")
        backend.change(isRunning: false, isBusy: true, now: start)
        #expect(!backend.isBusy(now: start) && backend.hasRun)
    }

    @Test func theQuestionToAllIsAskedOnce() {
        var question = MulticastQuestion()
        #expect(question.begin(askingAt: start + .milliseconds(30)) == true)
        #expect(question.begin(askingAt: start) == false, "later links are the backend's business")
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
        #expect(checks.postponeReconfirmation() == true, "those to reconfirm wait for its end")
        // Late, as after a sleep: whoever is asked by name has his time all the same.
        let late = start + .seconds(60)
        #expect(checks.takeNaming(now: late) == true)
        #expect(checks.takeNaming(now: late) == false)
        #expect(checks.takeJudgement(now: late) == nil)
        #expect(checks.takeJudgement(now: late + .milliseconds(700)) == .unconfirmed)
        #expect(checks.takeJudgement(now: late + .seconds(9)) == nil)
        #expect(checks.takeReconfirmation(now: late) == true)
        #expect(checks.isIdle)
    }

    /// A check of all that falls due while those to reconfirm are asked comes right after, and is not forgotten.
    @Test func checksWaitForEachOther() {
        var checks = InstanceChecks()
        #expect(checks.waitForCheck() == false && checks.postponeReconfirmation() == false, "there is none to wait for")
        checks.scheduleReconfirmation(now: start)
        checks.scheduleReconfirmation(now: start + .milliseconds(600))
        #expect(checks.deadline == start + InstanceChecks.checkTime, "further reasons do not put it off")
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

    /// A backend that is not ready would not hear the answers.
    @Test func aCutAnswerBringsTheQuestionToAllWhereTheBackendIsReady() {
        var question = MulticastQuestion()
        #expect(question.begin(askingAt: start + .milliseconds(30)) == true)
        question.answerWasCut(now: start + .milliseconds(5))
        #expect(question.deadline == start + .milliseconds(30), "the backend has said nothing yet")
        question.backendIsReady(hasCut: false, now: start + .milliseconds(10))
        question.answerWasCut(now: start + .milliseconds(15))
        #expect(question.takeQuestion(now: start + .milliseconds(15)) == true)
        // It has had its time, whether it has said so or not.
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
        #expect(first == 1, "0 is what multicast questions have")
        #expect(ids.contains(first) && !ids.contains(2))
        for _ in 1..<QuestionIDs.inUse { _ = ids.next() }
        #expect(ids.contains(first))
        _ = ids.next()
        #expect(!ids.contains(first))
    }
}
