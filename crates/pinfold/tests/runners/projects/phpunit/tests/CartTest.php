<?php
use PHPUnit\Framework\TestCase;
final class CartTest extends TestCase {
    public function testTwo(): void { $this->assertSame(6, 2 * 3); }
    public function testNothing(): void { $this->assertSame(1, 0 * 3, "nothing has a price"); }
    public function testAll(): void { $this->markTestSkipped("takes an hour"); }
    public function testLater(): void { $this->markTestIncomplete(); }
    public function testThrows(): void { throw new RuntimeException("no such ware\nsecond line"); }
}
