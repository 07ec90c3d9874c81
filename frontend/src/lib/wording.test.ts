import { describe, expect, it } from "vitest";
import { ago, calendarDay, languageOf, listParts, moment, money, seconds } from "./wording";

const now = new Date(2026, 10, 28, 14, 11);
const at = (day: number, hour: number, minute: number, year = 2026) =>
  new Date(year, 10, day, hour, minute).toISOString();

describe("dates as people write them", () => {
  it("are relative near, and absolute far away", () => {
    expect(ago(at(28, 14, 9), "en", now)).toBe("2 min ago");
    expect(ago(at(28, 14, 9), "zh", now)).toBe("2分钟前");
    expect(ago(at(27, 17, 40), "en", now)).toBe("yesterday 17:40");
    expect(ago(at(20, 9, 0), "en", now)).toBe("20 Nov");
    expect(ago(at(20, 9, 0), "zh", now)).toBe("11月20日");
  });

  it("name the year only when it is not this one", () => {
    expect(calendarDay(at(20, 9, 0, 2025), "en", now)).toBe("20 Nov 2025");
  });

  it("say today with its time", () => {
    expect(moment(at(28, 13, 58), "en", now)).toBe("today 13:58");
    expect(moment(at(28, 13, 58), "zh", now)).toBe("今天 13:58");
  });
});

describe("figures and lists", () => {
  it("follow the language", () => {
    expect(seconds(11.42, "en")).toBe("11.4");
    expect(seconds(181, "en")).toBe("181");
    expect(money("0.21", "CNY", "zh")).toBe("¥0.21");
    expect(
      listParts(["a", "b"], "en")
        .map((part) => part.value)
        .join(""),
    ).toBe("a and b");
    expect(
      listParts(["a", "b"], "zh")
        .map((part) => part.value)
        .join(""),
    ).toBe("a和b");
  });

  it("know Chinese by its characters", () => {
    expect(languageOf("retry 重试")).toBe("zh-CN");
    expect(languageOf("retry")).toBe("en");
  });
});
