"""Lessons: positions with tasks, which the games' folders contain, and the judgement of a try.

>>> import tavola.lessons
>>> [lesson.id for lesson in tavola.lessons.lessons("potlatch")][0]
'first'
"""

from tavola.lessons.attempt import Attempt, Played, attempt, start
from tavola.lessons.lesson import (
    Lesson,
    LessonError,
    LessonStep,
    Reach,
    Rejected,
    Words,
    WrongTry,
    lessons,
    load_game,
    parse,
)

__all__ = [
    "Attempt",
    "Lesson",
    "LessonError",
    "LessonStep",
    "Played",
    "Reach",
    "Rejected",
    "Words",
    "WrongTry",
    "attempt",
    "lessons",
    "load_game",
    "parse",
    "start",
]
