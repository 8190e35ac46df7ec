"""Uses broker and registry as a program in another language would, with librdkafka and Confluent's Python client.

Reads the one record on the topic, writes it back with one worker more, and tries what a registry must answer.
Prints the record it read as JSON; any failed check ends it with a traceback.
"""
import json
import sys

from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.schema_registry import Schema, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroDeserializer, AvroSerializer
from confluent_kafka.schema_registry.error import SchemaRegistryError
from confluent_kafka.serialization import MessageField, SerializationContext

bootstrap, url, topic = sys.argv[1:]
registry = SchemaRegistryClient({"url": url})
value = SerializationContext(topic, MessageField.VALUE)

consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "other-vendor", "enable.auto.commit": False})
consumer.assign([TopicPartition(topic, 0, 0)])
message = consumer.poll(20)
record = AvroDeserializer(registry)(message.value(), value)
print(json.dumps(record))
consumer.close()

latest = registry.get_latest_version(topic + "-value")
record["workers"] += 1
producer = Producer({"bootstrap.servers": bootstrap})
serializer = AvroSerializer(registry, latest.schema.schema_str, conf={"auto.register.schemas": False})
producer.produce(topic, partition=0, key="default", value=serializer(record, value))
assert producer.flush(20) == 0


def schema(fields):
    return Schema(json.dumps({"type": "record", "name": "P", "fields": fields}), "AVRO")


first = schema([{"name": "a", "type": "int"}])
wider = schema([{"name": "a", "type": "int"}, {"name": "b", "type": "int", "default": 0}])
broken = schema([{"name": "a", "type": "string"}])
schema_id = registry.register_schema("python", first)
assert registry.register_schema("python", first) == schema_id
assert registry.lookup_schema("python", first).version == 1
assert registry.test_compatibility("python", wider)
assert not registry.test_compatibility("python", broken)
try:
    registry.register_schema("python", broken)
    raise AssertionError("an incompatible schema was taken")
except SchemaRegistryError as conflict:
    assert conflict.http_status_code == 409, conflict
registry.register_schema("python", wider)
assert registry.get_versions("python") == [1, 2]
assert registry.get_compatibility() == "BACKWARD"
registry.set_compatibility("python", "FULL")
assert registry.get_compatibility("python") == "FULL"
assert "python" in registry.get_subjects()
assert registry.delete_version("python", 2) == 2
assert registry.delete_subject("python") == [1]
assert "python" not in registry.get_subjects()
