import Testing

@testable import DNSSD

@Suite struct MostlyOneTests {
    /// It has what a set has, in whatever order elements come and go: a host that lost one of its instances, or kept one that is
    /// gone, would be shown wrongly.
    @Test func itHasWhatASetHas() {
        var few = MostlyOne<Int>()
        var model: Set<Int> = []
        for step in 0..<1_000 {
            let element = step * 7 % 5
            if step * 13 % 3 == 0 {
                let isInserted = few.insert(element)
                #expect(isInserted == model.insert(element).inserted)
            } else {
                let isRemoved = few.remove(element)
                #expect(isRemoved == (model.remove(element) != nil))
            }
            #expect(few.contains(element) == model.contains(element))
            #expect(few.count == model.count && few.isEmpty == model.isEmpty)
            #expect(few.sorted() == model.sorted())
        }
    }
}
