"""Validates Sigma rules from standard input (a JSON list of texts) and converts each for every backend.

Prints a JSON list of faults, or exits with 3 where a part of pySigma is not installed.
"""
import json
import sys

try:
    from sigma.backends.elasticsearch import EqlBackend, ESQLBackend, LuceneBackend
    from sigma.backends.kusto import KustoBackend
    from sigma.backends.splunk import SplunkBackend
    from sigma.collection import SigmaCollection
    from sigma.pipelines.azuremonitor import azure_monitor_pipeline
    from sigma.validation import SigmaValidator
    from sigma.validators.core import validators
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)

# Validators of tags read data of MITRE from the network.
LOCAL = {cls for name, cls in validators.items() if "tag" not in name and "attack" not in name and "d3_fend" not in name}
INSIDE = ("ObjectGUID", "ObjectDN", "AttributeLDAPDisplayName", "SidList", "ServiceSid", "PreAuthType")
faults = []
for text in json.load(sys.stdin):
    try:
        rules = SigmaCollection.from_yaml(text)
        for issue in SigmaValidator(LOCAL).validate_rules(iter(rules.rules)):
            if issue.severity.name == "HIGH":
                faults.append(f"{rules.rules[0].title}: {issue}")
        for backend in (SplunkBackend(), LuceneBackend(), EqlBackend(), ESQLBackend()):
            if not backend.convert(SigmaCollection.from_yaml(text)):
                faults.append(f"{rules.rules[0].title}: nothing for {type(backend).__name__}")
        if any(field in text for field in INSIDE):
            continue
        table = "AuditLogs" if "product: azure" in text else "SecurityEvent"
        query = KustoBackend(processing_pipeline=azure_monitor_pipeline(query_table=table))
        if not query.convert(SigmaCollection.from_yaml(text)):
            faults.append(f"{rules.rules[0].title}: nothing for Kusto")
    except Exception as error:  # a fault of one rule, whatever it is
        faults.append(f"{type(error).__name__}: {error}: {text[:120]}")
print(json.dumps(faults))
